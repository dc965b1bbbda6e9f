import Contracts
import Postgres

/// Purchases with credit.
struct Credits: Sendable {
    let database: PostgresClient
    let policy: SeatPolicy

    private let ledger = LedgerStore()
    private let passengers = PassengerStore()
    private let journeys = JourneyStore()

    /// Pays for access to the seat maps: once per journey, and each time without a journey.
    ///
    /// - Throws: `SeatsError.passengerNotFound`, `.creditForbidden` for another user's credit, `.priceUnknown` for
    ///   another amount, `.insufficientCredit`.
    func unlock(amount: Int64, target: AccountID, account: AccountID) async throws {
        guard target == account else {
            let exists = try await passengers.exists(target, in: database)
            throw exists ? SeatsError.creditForbidden : SeatsError.passengerNotFound
        }
        guard amount == policy.unlockPrice else { throw SeatsError.priceUnknown }
        try await database.transaction { transaction in
            try await passengers.admit(account, in: transaction)
            if let journey = try await journeys.active(of: account, in: transaction),
                try await !ledger.claimUnlock(journey: journey.id, in: transaction)
            {
                return
            }
            try await ledger.move(.unlock, amount, passenger: account, in: transaction)
        }
    }
}
