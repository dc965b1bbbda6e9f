import Contracts
import Postgres

/// SQL of riding statuses.
struct RidingStatusStore: Sendable {
    func status(account: AccountID, in database: some Querying) async throws -> RidingStatus? {
        try await database.optional(
            """
            SELECT train_code, car_code, seat_section, seat_id_requested
            FROM riding_statuses WHERE account_id = \(account)
            """
        ) { RidingStatus(stored: try $0.decode(String?.self, String?.self, String?.self, SeatID?.self)) }
    }

    func replace(_ status: RidingStatus, account: AccountID, in database: some Querying) async throws {
        try await database.execute(
            """
            INSERT INTO riding_statuses (account_id, train_code, car_code, seat_section, seat_id_requested)
            VALUES (\(account), \(status.trainCode), \(status.carCode), \(status.seatSection),
                    \(status.seatIDRequested))
            ON CONFLICT (account_id) DO UPDATE
            SET train_code = excluded.train_code, car_code = excluded.car_code,
                seat_section = excluded.seat_section, seat_id_requested = excluded.seat_id_requested
            """
        )
    }

    /// - Returns: whether there was one.
    func update(_ change: RidingStatus, account: AccountID, in database: some Querying) async throws -> Bool {
        let changed = try await database.execute(
            """
            UPDATE riding_statuses
            SET train_code = coalesce(\(change.trainCode), train_code),
                car_code = coalesce(\(change.carCode), car_code),
                seat_section = coalesce(\(change.seatSection), seat_section),
                seat_id_requested = coalesce(\(change.seatIDRequested), seat_id_requested)
            WHERE account_id = \(account)
            """
        )
        return changed == 1
    }

    func delete(account: AccountID, in database: some Querying) async throws {
        try await database.execute("DELETE FROM riding_statuses WHERE account_id = \(account)")
    }
}
