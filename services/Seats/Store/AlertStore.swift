import Contracts
import FoundationEssentials
import Postgres

/// All SQL of alerts that wait for their time.
struct AlertStore: Sendable {
    /// - Parameters:
    ///   - message: what a socket would tell the passenger; nil when there is nothing of the kind.
    ///   - delay: seconds that a socket has for it.
    func schedule(_ alert: Alert, message: Int64?, after delay: Double, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO alerts (account_id, kind, arguments, message_id, due_at)
            VALUES (\(alert.account), \(alert.kind.rawValue), \(alert.arguments), \(message),
                now() + make_interval(secs => \(delay)))
            """
        )
    }

    /// Takes alerts whose time has come, for good once the transaction commits.
    func takeDue(limit: Int, in transaction: PostgresTransaction) async throws -> [DueAlert] {
        try await transaction.all(
            """
            WITH due AS (
                DELETE FROM alerts WHERE id IN (
                    SELECT id FROM alerts WHERE due_at <= now() ORDER BY due_at LIMIT \(limit) FOR UPDATE SKIP LOCKED)
                RETURNING id, account_id, kind, arguments, message_id
            )
            SELECT due.id, account_id, kind, arguments, m.id, m.topic, m.body, m.delivered_at IS NOT NULL
            FROM due LEFT JOIN live_messages m ON m.id = message_id
            """
        ) { row in
            let (id, account, kind, arguments, message, topic, body, isSeen) = try row.decode(
                as: (UUID, Int64, SeatsEvents.AlertKind, [String], Int64?, String?, String?, Bool).self
            )
            var kept: KeptMessage?
            if let message, let topic, let body { kept = KeptMessage(id: message, topic: topic, body: body) }
            return DueAlert(
                id: id,
                alert: Alert(account: account, kind: kind, arguments: arguments),
                message: kept,
                isSeen: isSeen
            )
        }
    }
}

/// An alert whose time has come.
struct DueAlert: Sendable, Equatable {
    var id: UUID
    var alert: Alert
    var message: KeptMessage?
    /// Whether a socket has told the passenger.
    var isSeen: Bool
}

extension SeatsEvents.AlertKind: PostgresDecodable {}
