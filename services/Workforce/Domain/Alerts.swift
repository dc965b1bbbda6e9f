import Contracts
import Outbox
import Postgres

/// Tells people of what happened, once the transaction in which it happened commits.
struct Alerts: Sendable {
    let outbox: Outbox

    func announce(_ alert: WorkforceEvents.MemberAlerted, in transaction: PostgresTransaction) async throws {
        // Nobody hears from oneself.
        guard alert.account != alert.sender else { return }
        try await outbox.publish(alert, in: transaction)
    }
}
