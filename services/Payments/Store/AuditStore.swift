import FoundationEssentials
import Postgres

/// All SQL of the audit.
struct AuditStore: Sendable {
    func insert(
        _ note: PaymentDesk.Note,
        by actor: Actor,
        order: String?,
        payment: String?,
        at now: Date,
        in database: some Querying
    ) async throws {
        try await database.execute(
            """
            INSERT INTO audit (at, actor, action, order_code, imp_uid, detail)
            VALUES (\(now), \(actor.name), \(note.action), \(order), \(payment), \(note.detail))
            """
        )
    }
}
