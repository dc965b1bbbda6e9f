import Contracts
import FoundationEssentials
import Postgres
import TestKit

@testable import Workforce

/// The use cases on the current test's database, with an outbox that records alerts, and an auth without accounts.
enum PlacesDomain {
    static func make(now: @escaping @Sendable () -> Date = { .now }) -> WorkforceDomain {
        let database = TestDatabase.current
        var configuration = WorkforceConfiguration(database: database.configuration)
        configuration.now = now
        return WorkforceDomain(configuration, database: database.client, outbox: AlertRecord.outbox) { _ in nil }
    }

    /// Removes and returns the published alerts, in order: `9>1 INVITE_APPROVED 언덕카페`.
    static func taken() async throws -> [String] {
        let alerts = try await AlertRecord.all()
        try await TestDatabase.current.client.execute("DELETE FROM outbox")
        return alerts.map {
            "\($0.sender.map(String.init) ?? "-")>\($0.account) \($0.kind.rawValue) \($0.arguments.joined(separator: "|"))"
        }
    }
}
