import Contracts
import Events
import Postgres

/// Publishes due alerts to the notifications service, with the body of the socket message.
struct AlertSender: Sendable {
    let database: PostgresClient
    let outbox: Outbox
    private let store = AlertStore()

    /// Sends the due alerts.
    ///
    /// - Returns: their number, at most `limit`.
    func sendDue(limit: Int) async throws -> Int {
        try await database.transaction { try await sendDue(limit: limit, in: $0) }
    }

    func sendDue(limit: Int, in transaction: PostgresTransaction) async throws -> Int {
        let due = try await store.takeDue(limit: limit, in: transaction)
        for item in due {
            let event = SeatsEvents.PassengerAlerted(
                account: item.alert.account,
                kind: item.alert.kind,
                arguments: item.alert.arguments,
                payload: item.message.flatMap(LivePayload.body(of:)),
                seen: item.isSeen,
                id: item.id
            )
            try outbox.publish(event, in: transaction)
        }
        return due.count
    }
}
