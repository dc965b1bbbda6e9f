import Authentication
import Contracts
import Postgres

/// Socket tickets: the number that With Suhyeon's app calls its user id and sends when it opens its socket. A ticket is
/// an unguessable number for a session (With Suhyeon contract 6, W5) and is valid as long as the session.
struct Tickets: Sendable {
    let database: PostgresClient
    let store = TicketStore()
    let hash: KeyedHash

    /// The ticket of a session; the same at each call.
    ///
    /// - Throws: `SessionError.sessionEnded`.
    func ticket(for session: String) async throws -> TicketID {
        let ticket = number(of: session)
        guard try await store.insert(digest(ticket), session: session, in: database) else {
            throw SessionError.sessionEnded
        }
        return ticket
    }

    /// The account and session of a ticket; nil for an unknown ticket or an ended session.
    func holder(of ticket: TicketID) async throws -> (account: AccountID, session: String)? {
        try await store.holder(of: digest(ticket), in: database)
    }

    /// 63 bits, greater than zero.
    private func number(of session: String) -> TicketID {
        let bits = hash.digest("ticket of \(session)").prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return TicketID(rawValue: max(1, Int64(bits >> 1)))
    }

    private func digest(_ ticket: TicketID) -> [UInt8] {
        hash.digest("digest of \(ticket)")
    }
}
