import Contracts
import People
import Postgres

extension People {
    /// Somebody of Anlaka whom another one names.
    ///
    /// - Parameter field: the name under which it came.
    /// - Throws: `ChatError.personNotFound`, also for who has left; `.rule` for oneself.
    func other(_ publicID: String, than account: Int64, field: String) async throws -> Int64 {
        guard let other = try await self.account(publicID: publicID, of: .anlaka) else {
            throw ChatError.personNotFound
        }
        guard other != account else { throw ChatError.rule("\(field) must be somebody else's.") }
        return other
    }

    /// Makes sure of two people, neither of whom leaves before the transaction ends. Locks them in one order, since each may
    /// have to do with the other at once.
    ///
    /// - Throws: `PersonUnknown`, `ChatError.personNotFound` for the other.
    func lock(_ account: Int64, with other: Int64, in transaction: PostgresTransaction) async throws {
        for one in [account, other].sorted() {
            do {
                try await lock(one, in: transaction)
            } catch is PersonUnknown where one == other {
                throw ChatError.personNotFound
            }
        }
    }
}
