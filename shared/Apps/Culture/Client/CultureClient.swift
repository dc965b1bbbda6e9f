package import Apps

package typealias CultureClient = SeSACClient<Culture>

extension SeSACClient where Calls == Culture {
    /// The city's events of a day, in the format of the city's open data. `%2520` is the app's wildcard.
    package func events(on day: some CustomStringConvertible) async throws -> [JSON] {
        let answer = try await send(\.listOpenDataOnDay, "app", 1, 20, "%2520", "%2520", day).json()
        return answer["culturalEventInfo"]?["row"]?.elements ?? []
    }
}
