import Contracts
import Events
import Postgres

/// Publishes alerts for users, in the transaction of their cause.
struct Alerts: Sendable {
    let outbox: Outbox

    func announce(_ alert: WorkforceEvents.MemberAlerted, in transaction: PostgresTransaction) async throws {
        try await announce([alert], in: transaction)
    }

    /// Publishes several alerts in one round trip.
    func announce(_ alerts: [WorkforceEvents.MemberAlerted], in transaction: PostgresTransaction) async throws {
        // Users are not alerted about their own actions.
        try outbox.publish(alerts.filter { $0.account != $0.sender }, in: transaction)
    }
}
