import AppClients
import Apps
import Contracts
import Postgres
import TestKit

extension SeSACClient {
    private init(_ client: Self, _ account: SeSACAccount) async throws {
        self = client
        try await join(account)
        try await signIn(account)
    }
}

extension SeSACClient where Calls == Anlaka {
    /// A user who has just joined.
    ///
    /// - Parameter device: the FCM token; nil for none.
    init(_ platform: Platform, _ email: String, nick: String, device: String? = nil) async throws {
        let account = SeSACAccount(email: email, password: "abcd123!", nick: nick, device: device)
        try await self.init(platform.anlaka, account)
    }

    /// Another client of a user who has joined.
    init(
        _ platform: Platform,
        signingIn email: String,
        device: String? = nil,
        headers: [String: String] = [:]
    ) async throws {
        self = platform.anlaka
        try await signIn(SeSACAccount(email: email, password: "abcd123!", device: device), headers: headers)
    }
}

extension SeSACClient where Calls == Culture {
    /// A user who has just joined.
    init(_ platform: Platform, _ email: String, nick: String) async throws {
        let account = SeSACAccount(email: email, password: "abcd123!", nick: nick)
        try await self.init(platform.culture, account)
    }
}

extension Platform {
    /// The account id of a user, which the app never sees.
    func account<Calls>(of client: SeSACClient<Calls>) async throws -> AccountID {
        try await authDatabase.client.one("SELECT id FROM accounts WHERE public_id = \(client.id)") {
            try $0.decode(AccountID.self)
        }
    }

    /// PortOne's webhook calls the gateway, several times at once.
    ///
    /// - Returns: the status of each call.
    func sendWebhook(of impUID: String, times: Int64 = 1) async throws -> [JSON] {
        try await sandboxClient.post("payments/\(impUID)/webhook", ["times": .integer(times)]).json()["statuses"]?
            .elements
            ?? []
    }
}
