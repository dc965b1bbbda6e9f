import NIOHTTP1
import StackKit

extension Phone {
    /// Sends a request many times concurrently without an access token, as an app with an expired token does: each
    /// response must be successful, and all must contain the same new tokens.
    ///
    /// - Parameter token: The refresh token of the requests.
    func renew(_ story: String, _ path: String, times: Int, token: String) async throws {
        tell("\n  \(story)")
        tell("    → \(times) × GET \(path)  RefreshToken: \(Self.short(token))")
        let start = ContinuousClock.now
        let answers = try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<times {
                group.addTask { [gateway, headers] in
                    try await self.request(.get, gateway, path, headers + [("RefreshToken", token)], nil)
                }
            }
            var answers: [Answer] = []
            for try await answer in group { answers.append(answer) }
            return answers
        }
        let milliseconds = Int((ContinuousClock.now - start) / .milliseconds(1))
        if let bad = answers.first(where: { $0.status != 200 }) {
            throw StackError("GET \(path) with a refresh token answered \(bad.status): \(bad.text)")
        }
        let given = Set(answers.map { $0.headers["X-Refresh-Token"] })
        guard given.count == 1, let successor = given.first?.first, successor != token else {
            throw StackError("\(times) requests with one refresh token got \(given.count) successors")
        }
        tell("    ← \(times) × 200  X-Refresh-Token: \(Self.short(successor)), the same in all  (\(milliseconds) ms)")
    }
}
