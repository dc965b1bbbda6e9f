import Authentication
import Contracts
import Events
import FoundationEssentials
import Postgres
import ServiceKit
import TestKit

@testable import Workforce

/// The alerts in the service's outbox, with a subscriber that is never available.
enum AlertRecord {
    static let outbox = Outbox(subscribers: [
        Subscriber(
            .notifications,
            to: [WorkforceEvents.MemberAlerted.self],
            client: InternalClient(to: .notifications, at: ["http://127.0.0.1:9"], keys: .development(.workforce))
        )
    ])

    static var alerts: Alerts { Alerts(outbox: outbox) }

    /// All alerts, in the order of their publication.
    static func all() async throws -> [WorkforceEvents.MemberAlerted] {
        try await TestDatabase.current.client.all("SELECT body FROM outbox ORDER BY id") {
            try $0.decode(PostgresJSON<WorkforceEvents.MemberAlerted>.self).value
        }
    }
}

extension Reminders {
    /// Publishes the due reminders. Waits while the service's own job holds the lock of the kind.
    func sendAlone(_ kind: Kind) async throws -> Int {
        while true {
            if let count = try await send(kind) { return count }
            await Task.yield()
        }
    }
}
