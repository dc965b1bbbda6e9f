import Contracts
import Postgres

/// Ids are stored as `bigint`.
extension AccountID: PostgresCodable, PostgresArrayElement {}
extension SeatID: PostgresCodable, PostgresArrayElement {}
extension CarID: PostgresCodable, PostgresArrayElement {}
extension RoomID: PostgresCodable, PostgresArrayElement {}
extension WorkplaceID: PostgresCodable, PostgresArrayElement {}
extension WorkerID: PostgresCodable, PostgresArrayElement {}
extension ShiftID: PostgresCodable, PostgresArrayElement {}
extension RoutineID: PostgresCodable, PostgresArrayElement {}
