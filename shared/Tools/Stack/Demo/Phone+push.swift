import FoundationEssentials
import StackKit

/// Push notifications in the scenarios.
extension Phone {
    /// Registers the phone's push token.
    ///
    /// - Returns: The token.
    func registerForPush() async throws -> String {
        let token = "demo-\(UUID().uuidString.lowercased())"
        try await send(
            "The app tells which token FCM has given it.",
            .put,
            "/v1/users/deviceToken",
            body: ["deviceToken": .string(token)]
        )
        return token
    }

    /// Waits for a push notification and prints it.
    ///
    /// - Parameter body: The expected text of the newest one.
    func showPush(_ story: String, on token: String, saying body: String) async throws {
        tell("\n  \(story)")
        for _ in 0..<200 {
            let record = try await request(.get, sandbox, "/_control/push?token=\(token)", [], nil)
            let newest = JSON(parsing: record.text.utf8)?["messages"]?.elements.first
            if let newest, newest["body"]?.string == body {
                let title = newest["subtitle"]?.string ?? newest["title"]?.string
                return tell("    🔔 \(title ?? ""): \(body)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw StackError("the phone got no push that says: \(body)")
    }
}
