import FoundationEssentials
import Postgres

/// SQL of the audit.
struct AuditStore: Sendable {
    func insert(
        _ notes: [PaymentChanges.Note],
        by actor: Actor,
        order: String?,
        payment: ImpUID?,
        at now: Date
    ) -> Statement<Int> {
        .execute(
            """
            INSERT INTO audit (at, actor, action, order_code, imp_uid, detail)
            SELECT \(now), \(actor.name), action, \(order), \(payment), detail
            FROM unnest(\(notes.map(\.action)), \(notes.map(\.detail))) WITH ORDINALITY AS n(action, detail, place)
            ORDER BY place
            """
        )
    }
}
