import Contracts
import Postgres

/// SQL of credit: the ledger entry and the balance change in one statement.
struct LedgerStore: Sendable {
    /// Transfers credit. An amount of 0 does nothing.
    ///
    /// - Throws: `SeatsError.insufficientCredit`, `.passengerNotFound`; the transaction must then be rolled back.
    func move(
        _ transfer: Transfer,
        _ amount: Int64,
        passenger: AccountID,
        in transaction: PostgresTransaction
    ) async throws {
        guard amount > 0 else { return }
        let holder = Self.holder(passenger)
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

    /// Pays the reward for an occupied seat, once per train and service day, and records it with the occupancy.
    func payReward(_ amount: Int64, account: AccountID, train: TrainCode) -> Statement<Int> {
        let transfer = Transfer.reward
        return .execute(
            """
            WITH claim AS (
                INSERT INTO rewards (account_id, train_code)
                SELECT \(account), \(train.text) WHERE \(amount) > 0
                ON CONFLICT DO NOTHING RETURNING account_id
            ), entry AS (
                INSERT INTO transfers (kind, debit, credit, amount)
                SELECT \(transfer.kind), \(transfer.counterpart), \(Self.holder(account)), \(amount) FROM claim
            ), seat AS (
                UPDATE occupancies SET reward = \(amount) FROM claim WHERE occupancies.account_id = claim.account_id
            )
            UPDATE passengers SET credit = credit + \(amount) FROM claim WHERE passengers.account_id = claim.account_id
            """
        )
    }

    /// Takes a reward back, as far as the credit suffices; it can be earned again. The passenger must be locked.
    func takeBackReward(_ amount: Int64, account: AccountID, train: TrainCode) -> Statement<Int> {
        let transfer = Transfer.clawBack
        return .execute(
            """
            WITH claim AS (
                DELETE FROM rewards
                WHERE account_id = \(account) AND train_code = \(train.text) AND service_date = service_date()
                    AND \(amount) > 0
            ), taken AS (
                SELECT account_id, least(credit, \(amount)) AS amount FROM passengers
                WHERE account_id = \(account) AND credit > 0 AND \(amount) > 0
            ), entry AS (
                INSERT INTO transfers (kind, debit, credit, amount)
                SELECT \(transfer.kind), \(Self.holder(account)), \(transfer.counterpart), amount FROM taken
            )
            UPDATE passengers SET credit = credit - taken.amount FROM taken
            WHERE passengers.account_id = taken.account_id
            """
        )
    }

    /// The name of a passenger in the ledger.
    private static func holder(_ account: AccountID) -> String { "passenger/\(account)" }

    /// Records the purchase of seat information for a journey.
    ///
    /// - Returns: false when it was already recorded.
    func claimUnlock(journey: Int64, in database: some Querying) async throws -> Bool {
        try await database.execute(
            "INSERT INTO unlocks (journey_id) VALUES (\(journey)) ON CONFLICT DO NOTHING"
        ) == 1
    }
}
