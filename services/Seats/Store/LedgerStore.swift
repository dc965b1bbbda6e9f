import Postgres

/// All SQL of credit: an entry in the ledger and the balance beside it change in one statement.
struct LedgerStore: Sendable {
    /// Moves credit. Nothing happens for an amount of 0.
    ///
    /// - Throws: `SeatsError.insufficientCredit`, `.passengerNotFound`; the transaction is then spoiled.
    func move(
        _ transfer: Transfer,
        _ amount: Int64,
        passenger: Int64,
        in transaction: PostgresTransaction
    ) async throws {
        guard amount > 0 else { return }
        let holder = "passenger/\(passenger)"
        let other = transfer.counterpart
        let (debit, credit) = transfer.isToPassenger ? (other, holder) : (holder, other)
        let change = transfer.isToPassenger ? amount : -amount
        do {
            let changed = try await transaction.execute(
                """
                WITH entry AS (
                    INSERT INTO transfers (kind, debit, credit, amount)
                    VALUES (\(transfer.kind), \(debit), \(credit), \(amount))
                )
                UPDATE passengers SET credit = credit + \(change) WHERE account_id = \(passenger)
                """
            )
            guard changed == 1 else { throw SeatsError.passengerNotFound }
        } catch let error as PostgresError where error.violates("passengers_credit_check") {
            throw SeatsError.insufficientCredit
        }
    }

    /// Notes that a passenger is paid for telling a seat in a train today.
    ///
    /// - Returns: false when that has been paid already.
    func claimReward(account: Int64, train: TrainCode, in database: some Querying) async throws -> Bool {
        try await database.execute(
            "INSERT INTO rewards (account_id, train_code) VALUES (\(account), \(train.text)) ON CONFLICT DO NOTHING"
        ) == 1
    }

    /// Undoes `claimReward`, once what was paid has been taken back.
    func returnReward(account: Int64, train: TrainCode, in database: some Querying) async throws {
        try await database.execute(
            """
            DELETE FROM rewards
            WHERE account_id = \(account) AND train_code = \(train.text) AND service_date = service_date()
            """
        )
    }

    /// Notes that seat information was paid for in a journey.
    ///
    /// - Returns: false when it has been already.
    func claimUnlock(journey: Int64, in database: some Querying) async throws -> Bool {
        try await database.execute(
            "INSERT INTO unlocks (journey_id) VALUES (\(journey)) ON CONFLICT DO NOTHING"
        ) == 1
    }
}
