import Authentication
import Postgres

/// What With Suhyeon's app calls its user id, and shows when it opens its socket: a number that stands for a session, and
/// that nobody can guess (With Suhyeon contract 6, W5). It is good for as long as its session.
struct Tickets: Sendable {
    let database: PostgresClient
    let store = TicketStore()
    let hash: KeyedHash

    /// The ticket of a session, the same each time.
    ///
    /// - Throws: `SessionError.sessionEnded`.
    func ticket(for session: String) async throws -> Int64 {
        let ticket = number(of: session)
        guard try await store.insert(digest(ticket), session: session, in: database) else {
            throw SessionError.sessionEnded
        }
        return ticket
    }

    /// Whose ticket it is; nil for a number that is none, or whose session has ended.
    func holder(of ticket: Int64) async throws -> (account: Int64, session: String)? {
        try await store.holder(of: digest(ticket), in: database)
    }

    /// 63 bits, greater than zero.
    private func number(of session: String) -> Int64 {
        let bits = hash.digest("ticket of \(session)").prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return max(1, Int64(bits >> 1))
    }

    private func digest(_ ticket: Int64) -> [UInt8] {
        hash.digest("digest of \(ticket)")
    }
}
