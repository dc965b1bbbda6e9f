import AppClients
import Contracts
import Postgres
import TestKit

/// The actions of FCM and of the devices behind it.
extension Platform {
    /// The pushes of a device, the earliest first. Waits until there are `count`, for half a minute at most; surplus
    /// ones are returned, too.
    func pushes(_ count: Int = 0, to token: String) async throws -> [ReceivedPush] {
        struct Messages: Decodable { var messages: [ReceivedPush] }
        var pushes: [ReceivedPush] = []
        for _ in 0..<1500 {
            pushes = try await sandboxClient.pushes(to: token).value(Messages.self).messages.reversed()
            if pushes.count >= count { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        return pushes
    }

    /// The number of pushes that wait for their time, or for FCM.
    func waitingPushes() async throws -> Int {
        try await notificationsDatabase.client.one("SELECT count(*) FROM pushes") { try $0.decode(Int.self) }
    }

    /// Waits until a device belongs to an account; nil for no account.
    func device(_ token: String, belongsTo account: AccountID?) async throws {
        try await eventually {
            try await notificationsDatabase.client.optional("SELECT account_id FROM devices WHERE token = \(token)") {
                try $0.decode(AccountID.self)
            } == account
        }
    }

    /// Makes FCM answer with an error for a device; nil for success again.
    func answer(_ error: String?, of token: String) async throws {
        _ = try await sandboxClient.post("push/tokens/\(token)", error.map { ["error": "\($0)"] } ?? [:])
    }
}
