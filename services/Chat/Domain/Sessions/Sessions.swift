import Contracts
import Postgres
import Profiles

/// The sessions of sockets. One that ends is announced to all replicas, and recorded for sockets that are on the way from
/// one replica to another.
struct Sessions: Sendable {
    let database: PostgresClient
    let people: People
    private let store = RevokedSessionStore()

    func revoke(_ session: String, in transaction: PostgresTransaction) async throws {
        try await store.add(session, in: transaction)
        transaction.announce([.sessionRevoked(session)])
    }

    /// Whether a socket that comes from another replica may stay: neither its account is withdrawn, nor its session
    /// revoked.
    func mayContinue(_ account: AccountID, session: String?) async throws -> Bool {
        do {
            try await people.person(account)
        } catch is PersonUnknown {
            return false
        }
        guard let session else { return true }
        return try await !store.contains(session, in: database)
    }

    /// The sessions that may have been revoked since a moment, at most those of the last hour.
    func revoked(since moment: ContinuousClock.Instant) async throws -> [String] {
        let time = ContinuousClock.now - moment + Self.longestTransaction
        return try await store.all(ofLastSeconds: time / .seconds(1), in: database)
    }

    /// A revocation is committed in less than this time after its transaction has begun.
    private static let longestTransaction = Duration.seconds(30)
}
