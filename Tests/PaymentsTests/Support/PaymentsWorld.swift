import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Payments
@testable import Sandbox

/// The service on the current test's database, with profiles, a stub of the other services and a sandbox PortOne.
struct PaymentsWorld: ServiceWorld {
    static let service = ServiceName.payments

    let client: any TestClientProtocol
    let sandbox: any TestClientProtocol
    let stubs: StubServices
    let clock: ManualClock

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
        let (stubs, clock) = (StubServices(), ManualClock())
        var settings = SandboxConfiguration()
        settings.port = 0
        settings.portOneWebhookURL = ""
        try await buildSandbox(settings, logger: .quiet).test(.live) { sandbox in
            try await stubs.run { url in
                var configuration = PaymentsConfiguration(database: database.configuration)
                configuration.authURLs = [url]
                configuration.estateURLs = [url]
                configuration.communityURLs = [url]
                configuration.notificationsURLs = [url]
                configuration.portOneURL = "http://127.0.0.1:\(sandbox.port ?? 0)/portone"
                // The machine may be busy with other tests.
                configuration.host.requestDeadline = .seconds(60)
                configuration.now = { clock.now }
                adjust(&configuration)
                try await buildPayments(configuration, logger: .quiet).test(.router) { client in
                    try await body(PaymentsWorld(client: client, sandbox: sandbox, stubs: stubs, clock: clock))
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

    /// A client of Anlaka; the accounts 1, 2 and 9 exist.
    func client(_ account: AccountID) -> ServiceClient {
        ServiceClient(client, to: .payments, app: .anlaka, account: account)
    }

    /// A client of Seoul Culture; the accounts 101 and 102 exist.
    func reader(_ account: AccountID) -> ServiceClient {
        ServiceClient(client, to: .payments, app: .culture, account: account)
    }
}

extension Trait where Self == FixtureTrait<PaymentsWorld> {
    static var service: Self { .service { _ in } }

    /// - Parameter adjust: changes the settings.
    static func service(_ adjust: @escaping @Sendable (inout PaymentsConfiguration) -> Void) -> Self {
        .fixture { try await PaymentsWorld.test(adjust, $0) }
    }
}
