import Authentication
import Contracts
import FoundationEssentials
import InternalClient
import Outbox
import Postgres
import TestSupport

@testable import Workforce

/// The use cases on the current test's database, in a house where somebody listens to alerts, and auth knows of nobody.
enum PlacesDomain {
    static func make(now: @escaping @Sendable () -> Date = { .now }) -> WorkforceDomain {
        let database = TestDatabase.current
        let nobody = InternalClient(
            to: "notifications",
            at: ["http://127.0.0.1:9"],
            from: "workforce",
            secret: .development
        )
        let events: [any Event.Type] = [WorkforceEvents.MemberAlerted.self, WorkforceEvents.AccountErased.self]
        var configuration = WorkforceConfiguration(database: database.configuration)
        configuration.now = now
        return WorkforceDomain(
            configuration,
            database: database.client,
            outbox: Outbox(subscribers: [Subscriber(.notifications, to: events, client: nobody)])
        ) { _ in nil }
    }

    /// What has been announced, in order: `1 INVITE_APPROVED 언덕카페`.
    static func alerts() async throws -> [WorkforceEvents.MemberAlerted] {
        try await TestDatabase.current.client.all(
            "SELECT body FROM outbox WHERE name = \(WorkforceEvents.MemberAlerted.name) ORDER BY id"
        ) { try $0.decode(PostgresJSON<WorkforceEvents.MemberAlerted>.self).value }
    }

    /// The same, and nothing else from now on.
    static func taken() async throws -> [String] {
        let alerts = try await alerts()
        try await TestDatabase.current.client.execute("DELETE FROM outbox")
        return alerts.map {
            "\($0.sender.map(String.init) ?? "-")>\($0.account) \($0.kind.rawValue) \($0.arguments.joined(separator: "|"))"
        }
    }
}
