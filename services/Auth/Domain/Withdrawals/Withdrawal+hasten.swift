import Contracts
import Postgres

extension Withdrawal {
    /// Makes the accounts anonymous whose time to come back is over, which otherwise happens within a second or so.
    func completeDue() async throws {
        while try await beginNext() {}
    }

    /// Ends the time to come back of everybody who has asked to leave an app, and makes them anonymous.
    ///
    /// - Parameter origin: where the order comes from.
    func completeAll(app: App, origin: Origin) async throws {
        try await database.transaction { transaction in
            for account in try await store.makeDue(app: app, in: transaction) {
                try await audit.record(.hastened, account: account, origin: origin, in: transaction)
            }
        }
        try await completeDue()
    }
}
