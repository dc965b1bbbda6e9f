import AppClients
import Apps

extension ConformanceTarget {
    /// Asks the server once, so that one that is away is found before anything else.
    ///
    /// - Throws: `ConformanceError` that says why there was no answer.
    package func probe() async throws {
        guard url.hasPrefix("http://") || url.hasPrefix("https://"), !url.hasSuffix("/") else {
            throw ConformanceError(
                "\(url) is no address of a server, which begins with http:// and has no slash at its end"
            )
        }
        do {
            _ = try await HTTPTransport(url).send(.get, "/health")
        } catch {
            throw ConformanceError("the server at \(url) cannot be asked: \(Person.sentence(error))")
        }
    }

    /// The same without a sandbox that does not answer.
    package func withReachableSandbox() async -> ConformanceTarget {
        var target = self
        let answer = try? await sandbox?.get("sms?to=01000000000")
        if answer?.status != 200 { target.sandbox = nil }
        return target
    }
}
