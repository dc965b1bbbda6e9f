import Contracts
import Postgres

/// SQL of credit: the ledger entry and the balance change in one statement.
struct LedgerStore: Sendable {
    /// Transfers credit. An amount of 0 does nothing. Credit that a passenger receives pays the passenger's debt first.
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
                ), \(Self.repaid(passenger, of: change))
                UPDATE passengers SET credit = credit + \(change) - repaid.amount, debt = debt - repaid.amount
                FROM repaid WHERE passengers.account_id = repaid.account_id
                """
            )
            guard changed == 1 else { throw SeatsError.passengerNotFound }
        } catch let error as PostgresError where error.violates("passengers_credit_check") {
            throw SeatsError.insufficientCredit
        }
    }

    /// What decides whether a passenger is rewarded for a seat in a train.
    func rewardStanding(of account: AccountID, in train: TrainCode) -> Statement<RewardStanding> {
        .one(
            """
            SELECT EXISTS (
                    SELECT FROM sightings WHERE service_date = service_date() AND train_code = \(train.text)),
                count(*) FILTER (WHERE train_code = \(train.text)) > 0, count(*)
            FROM rewards
            WHERE account_id = \(account) AND service_date = service_date() AND clawed_back_at IS NULL
            """
        ) { row in
            let (isSighted, hasReward, count) = try row.decode(Bool.self, Bool.self, Int.self)
            return RewardStanding(isSighted: isSighted, hasReward: hasReward, rewardsToday: count)
        }
    }

    /// Pays the reward for an occupied seat, once per train and service day, and records it with the occupancy. A reward
    /// that was taken back is paid again for another seat of the train.
    func payReward(_ amount: Int64, account: AccountID, train: TrainCode) -> Statement<Int> {
        let transfer = Transfer.reward
        return .execute(
            """
            WITH claim AS (
                INSERT INTO rewards (account_id, train_code)
                SELECT \(account), \(train.text) WHERE \(amount) > 0
                ON CONFLICT (account_id, train_code, service_date) DO UPDATE SET clawed_back_at = NULL
                WHERE rewards.clawed_back_at IS NOT NULL
                RETURNING account_id
            ), entry AS (
                INSERT INTO transfers (kind, debit, credit, amount)
                SELECT \(transfer.kind), \(transfer.counterpart), \(Self.holder(account)), \(amount) FROM claim
            ), seat AS (
                UPDATE occupancies SET reward = \(amount) FROM claim WHERE occupancies.account_id = claim.account_id
            ), \(Self.repaid(account, of: amount, if: "EXISTS (SELECT FROM claim)"))
            UPDATE passengers SET credit = credit + \(amount) - repaid.amount, debt = debt - repaid.amount
            FROM repaid WHERE passengers.account_id = repaid.account_id
            """
        )
    }

    /// Takes a reward back, once. What the credit does not suffice for becomes a debt. The passenger must be locked.
    func takeBackReward(_ amount: Int64, account: AccountID, train: TrainCode) -> Statement<Int> {
        let transfer = Transfer.clawBack
        return .execute(
            """
            WITH claim AS (
                UPDATE rewards SET clawed_back_at = now()
                WHERE account_id = \(account) AND train_code = \(train.text) AND clawed_back_at IS NULL
                    AND \(amount) > 0 AND service_date = (
                        SELECT max(service_date) FROM rewards
                        WHERE account_id = \(account) AND train_code = \(train.text))
                RETURNING account_id
            ), taken AS (
                SELECT p.account_id, least(p.credit, \(amount)) AS amount FROM passengers p
                WHERE p.account_id IN (SELECT account_id FROM claim)
            ), entry AS (
                INSERT INTO transfers (kind, debit, credit, amount)
                SELECT \(transfer.kind), \(Self.holder(account)), \(transfer.counterpart), amount FROM taken
                WHERE amount > 0
            )
            UPDATE passengers SET credit = credit - taken.amount, debt = debt + \(amount) - taken.amount FROM taken
            WHERE passengers.account_id = taken.account_id
            """
        )
    }

    /// The parts of a statement that pays debt from an amount that a passenger receives: `repaid` with the account and the
    /// amount, which may be 0, and the transfer back to the house.
    private static func repaid(_ account: AccountID, of amount: Int64, if condition: SQL = "true") -> SQL {
        let transfer = Transfer.clawBack
        return """
            repaid AS (
                SELECT account_id, greatest(least(debt, \(amount)), 0) AS amount FROM passengers
                WHERE account_id = \(account) AND \(condition) FOR NO KEY UPDATE
            ), repayment AS (
                INSERT INTO transfers (kind, debit, credit, amount)
                SELECT \(transfer.kind), \(holder(account)), \(transfer.counterpart), amount FROM repaid WHERE amount > 0
            )
            """
    }

    /// The name of a passenger in the ledger.
    private static func holder(_ account: AccountID) -> String { "passenger/\(account)" }

    /// Records the purchase of seat information for a journey.
    ///
    /// - Returns: false when it was already recorded.
    func claimUnlock(journey: JourneyID, in database: some Querying) async throws -> Bool {
        try await database.execute(
            "INSERT INTO unlocks (journey_id) VALUES (\(journey)) ON CONFLICT DO NOTHING"
        ) == 1
    }
}
