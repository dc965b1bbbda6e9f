package import Contracts
package import Postgres

/// An id that is stored as `bigint`.
package typealias RowIdentifier = Identifier & PostgresCodable & PostgresArrayElement

extension AccountID: PostgresCodable, PostgresArrayElement {}
extension SeatID: PostgresCodable, PostgresArrayElement {}
extension CarID: PostgresCodable, PostgresArrayElement {}
extension RoomID: PostgresCodable, PostgresArrayElement {}
extension WorkplaceID: PostgresCodable, PostgresArrayElement {}
extension WorkerID: PostgresCodable, PostgresArrayElement {}
extension ShiftID: PostgresCodable, PostgresArrayElement {}
extension RoutineID: PostgresCodable, PostgresArrayElement {}
extension CompanionPostID: PostgresCodable, PostgresArrayElement {}
extension ReportedContentID: PostgresCodable, PostgresArrayElement {}
