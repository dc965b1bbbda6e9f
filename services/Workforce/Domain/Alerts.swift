import Contracts
import Events
import Postgres

/// Publishes alerts for users, in the transaction of their cause.
struct Alerts: Sendable {
    let outbox: Outbox

    func announce(_ alert: WorkforceEvents.MemberAlerted, in transaction: PostgresTransaction) async throws {
        // Users are not alerted about their own actions.
        guard alert.account != alert.sender else { return }
        try await outbox.publish(alert, in: transaction)
    }
}
