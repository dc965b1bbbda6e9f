import Contracts
import Postgres
import Profiles

extension People {
    /// The account of another Anlaka user.
    ///
    /// - Parameter field: The request field with the ID, for error messages.
    /// - Throws: `ChatError.personNotFound`, also for a withdrawn user; `.rule` for the caller's own ID.
    func other(_ publicID: PublicID, than account: AccountID, field: String) async throws -> AccountID {
        guard let other = try await self.account(publicID: publicID, of: .anlaka) else {
            throw ChatError.personNotFound
        }
        guard other != account else { throw ChatError.rule("\(field) must be another user's.") }
        return other
    }

    /// Locks two accounts against withdrawal until the transaction ends. The order is fixed, since two such
    /// transactions may lock the same pair at the same time.
    ///
    /// The next statement throws `PersonUnknown`, and `ChatError.personNotFound` for the other account.
    func lock(_ account: AccountID, with other: AccountID, in transaction: PostgresTransaction) throws {
        for one in [account, other].sorted() {
            try lock(one, in: transaction, orThrow: one == other ? ChatError.personNotFound : PersonUnknown())
        }
    }
}
