import Contracts
import FoundationEssentials
import Postgres

/// SQL of pending alerts.
struct AlertStore: Sendable {
    /// - Parameters:
    ///   - message: the socket message with the same content; nil when there is none.
    ///   - delay: seconds for its delivery.
    func schedule(_ alert: Alert, message: LiveMessageID?, after delay: Double, in database: some Querying) async throws
    {
        try await database.execute(
            """
            INSERT INTO alerts (account_id, kind, arguments, message_id, due_at)
            VALUES (\(alert.account), \(alert.kind.rawValue), \(alert.arguments), \(message),
                now() + make_interval(secs => \(delay)))
            """
        )
    }

    /// Takes due alerts; they are deleted when the transaction commits.
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
                as: (UUID, AccountID, SeatsEvents.AlertKind, [String], LiveMessageID?, String?, String?, Bool).self
            )
            var kept: StoredMessage?
            if let message, let topic, let body { kept = StoredMessage(id: message, topic: topic, body: body) }
            return DueAlert(
                id: id,
                alert: Alert(account: account, kind: kind, arguments: arguments),
                message: kept,
                isSeen: isSeen
            )
        }
    }
}

/// A due alert.
struct DueAlert: Sendable, Equatable {
    var id: UUID
    var alert: Alert
    var message: StoredMessage?
    /// Whether a socket has delivered the message.
    var isSeen: Bool
}

extension SeatsEvents.AlertKind: PostgresDecodable {}
