import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Logging
import Postgres
import TestKit

@testable import Community
@testable import Sandbox

/// Fills the calendar, as a refresh does.
enum CalendarDataset {
    static func fill(_ events: [CulturalEvent]) async throws {
        let refresh = CalendarRefresh(database: TestDatabase.current.client, now: { .now }) { range in
            .init(total: events.count, events: Array(events.dropFirst(range.lowerBound - 1).prefix(range.count)))
        }
        // The service's own timer may be faster.
        repeat {
            try await TestDatabase.current.client.execute("UPDATE calendar_refresh SET due_at = '1970-01-01'")
        } while try await !refresh.runIfDue()
    }

    /// Runs a sandbox in the place of the city.
    static func sandbox(
        _ body: @escaping @Sendable (any TestClientProtocol, _ url: String) async throws -> Void
    ) async throws {
        var settings = SandboxConfiguration()
        settings.port = 0
        try await buildSandbox(settings, logger: .quiet).test(.live) { sandbox in
            try await body(sandbox, "http://127.0.0.1:\(sandbox.port ?? 0)/seoul")
        }
    }
}
