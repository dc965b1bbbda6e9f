/// Waits until a condition holds.
///
/// - Parameters:
///   - what: The condition as part of a sentence, for the error.
///   - interval: The pause between two checks.
/// - Throws: `ClientError` when the time is over.
package func waitUntil(
    _ what: String,
    every interval: Duration = .milliseconds(5),
    atMost limit: Duration = .seconds(60),
    _ holds: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while try await !holds() {
        guard ContinuousClock.now < end else { throw ClientError("waited in vain until \(what)") }
        try await Task.sleep(for: interval)
    }
}
