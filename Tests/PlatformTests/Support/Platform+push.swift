import Contracts
import NIOHTTP1
import Postgres
import TestKit

/// The actions of FCM and of the devices behind it.
extension Platform {
    /// The pushes of a device, the earliest first. Waits until there are `count`, for half a minute at most; surplus
    /// ones are returned, too.
    func pushes(_ count: Int = 0, to token: String) async throws -> [PhonePush] {
        struct Messages: Decodable { var messages: [PhonePush] }
        let url = "\(sandbox)/_control/push?token=\(token)"
        var got: [PhonePush] = []
        for _ in 0..<1500 {
            got = try await Wire.send(.GET, url).value(Messages.self).messages.reversed()
            if got.count >= count { break }
            try await Task.sleep(for: .milliseconds(20))
        }
        return got
    }

    /// The number of pushes that wait for their time, or for FCM.
    func waitingPushes() async throws -> Int {
        try await notificationsDatabase.client.one("SELECT count(*) FROM pushes") { try $0.decode(Int.self) }
    }

    /// Waits until a device belongs to an account; nil for no account.
    func phone(_ token: String, isOf account: AccountID?) async throws {
        try await eventually {
            try await notificationsDatabase.client.optional("SELECT account_id FROM devices WHERE token = \(token)") {
                try $0.decode(AccountID.self)
            } == account
        }
    }

    /// Makes FCM answer with an error for a device; nil for success again.
    func answer(_ error: String?, of token: String) async throws {
        let json = error.map { #"{"error":"\#($0)"}"# } ?? "{}"
        _ = try await Wire.send(.POST, "\(sandbox)/_control/push/tokens/\(token)", json: json)
    }
}
