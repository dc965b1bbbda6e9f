/// Waits until a condition holds.
///
/// - Parameter condition: the condition in words.
/// - Throws: `ConditionTimeout` when it does not hold within the limit.
package func eventually(
    _ condition: String = "the condition holds",
    within limit: Duration = .seconds(60),
    _ holds: () async throws -> Bool
) async throws {
    let start = ContinuousClock.now
    while try await !holds() {
        guard ContinuousClock.now - start < limit else { throw ConditionTimeout(condition: condition) }
        try await Task.sleep(for: .milliseconds(10))
    }
}

package struct ConditionTimeout: Error {
    package var condition: String
}
