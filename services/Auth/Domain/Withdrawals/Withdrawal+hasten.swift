import Contracts
import Postgres

extension Withdrawal {
    /// Anonymizes the accounts whose grace period is over, which otherwise the background job does within about a
    /// second.
    func completeDue() async throws {
        while try await beginNext() {}
    }

    /// Ends the grace period of all pending withdrawals of an app, and anonymizes the accounts.
    ///
    /// - Parameter origin: the origin of the admin's request.
    func completeAll(app: App, origin: Origin) async throws {
        try await database.transaction { transaction in
            for account in try await store.makeDue(app: app, in: transaction) {
                try audit.record(.hastened, account: account, origin: origin, in: transaction)
            }
        }
        try await completeDue()
    }
}
