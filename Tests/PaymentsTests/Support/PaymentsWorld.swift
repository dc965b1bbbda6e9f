import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit

@testable import Payments
@testable import Sandbox

/// The service on the current test's database, with profiles, stub neighbours and a sandbox PortOne.
struct PaymentsWorld: Sendable {
    let client: any TestClientProtocol
    let sandbox: any TestClientProtocol
    let neighbours: Neighbours
    let clock: AheadClock

    /// - Parameter adjust: changes the settings.
    static func test(
        _ adjust: @escaping @Sendable (inout PaymentsConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (PaymentsWorld) async throws -> Void
    ) async throws {
        let database = TestDatabase.current
        for (account, nickname) in [AccountID(1): "하루", 2: "나무", 9: "바다"] {
            try await addProfile(account, nickname, .anlaka)
        }
        for (account, nickname) in [AccountID(101): "가람", 102: "마루"] {
            try await addProfile(account, nickname, .culture)
        }
        let (neighbours, clock) = (Neighbours(), AheadClock())
        var outside = SandboxConfiguration()
        outside.port = 0
        outside.portOneWebhookURL = ""
        try await buildSandbox(outside, logger: .quiet).test(.live) { sandbox in
            try await neighbours.run { url in
                var configuration = PaymentsConfiguration(database: database.configuration)
                configuration.authURLs = [url]
                configuration.estateURLs = [url]
                configuration.communityURLs = [url]
                configuration.notificationsURLs = [url]
                configuration.portOneURL = "http://127.0.0.1:\(sandbox.port ?? 0)/portone"
                configuration.portOneTimeout = .seconds(3)
                configuration.now = { clock.now }
                adjust(&configuration)
                try await buildPayments(configuration, logger: .quiet).test(.router) { client in
                    try await body(
                        PaymentsWorld(client: client, sandbox: sandbox, neighbours: neighbours, clock: clock)
                    )
                }
            }
        }
    }

    static func addProfile(_ account: AccountID, _ nickname: String, _ app: App) async throws {
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO people (account_id, app, public_id, nickname)
            VALUES (\(account), \(app), \(publicID(account)), \(nickname))
            """
        )
    }

    /// The public id of an account.
    static func publicID(_ account: AccountID) -> String {
        let digits = String(account.rawValue, radix: 16)
        return String(repeating: "a", count: 24 - digits.count) + digits
    }

    var database: PostgresClient { TestDatabase.current.client }

    /// A client of Anlaka; the accounts 1, 2 and 9 exist.
    func phone(_ account: AccountID) -> Phone { Phone(client, app: .anlaka, account: account) }

    /// A client of Seoul Culture; the accounts 101 and 102 exist.
    func reader(_ account: AccountID) -> Phone { Phone(client, app: .culture, account: account) }

    /// Delivers an event as another service would.
    func hear<E: Event>(_ event: E, from process: String) async throws -> Int {
        let body = String(decoding: try JSONEncoder().encode(event), as: UTF8.self)
        let json = #"{"id":"\#(UUID())","name":"\#(E.name)","body":\#(body)}"#
        return try await Phone(client, process: process).send(.post, "/internal/events", json: json).status.code
    }

    /// Polls until the condition holds.
    func eventually(_ what: String = "", _ holds: () async throws -> Bool) async throws {
        for _ in 0..<1500 {
            if try await holds() { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw Never(what: what)
    }

    struct Never: Error { var what: String }
}
