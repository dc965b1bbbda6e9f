package import Contracts

/// Tests write ids as plain numbers.
extension Identifier {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension AccountID: ExpressibleByIntegerLiteral {}
extension SeatID: ExpressibleByIntegerLiteral {}
extension CarID: ExpressibleByIntegerLiteral {}
extension RoomID: ExpressibleByIntegerLiteral {}
extension WorkplaceID: ExpressibleByIntegerLiteral {}
extension WorkerID: ExpressibleByIntegerLiteral {}
extension ShiftID: ExpressibleByIntegerLiteral {}
extension RoutineID: ExpressibleByIntegerLiteral {}
extension CompanionPostID: ExpressibleByIntegerLiteral {}
extension ReportedContentID: ExpressibleByIntegerLiteral {}
extension TicketID: ExpressibleByIntegerLiteral {}

/// Tests count ids: `AccountID(1)...40`.
extension Identifier {
    package func distance(to other: Self) -> Int64 { other.rawValue - rawValue }
    package func advanced(by distance: Int64) -> Self { .init(rawValue: rawValue + distance) }
}

extension AccountID: Strideable {}

/// Tests write public ids as plain texts, with interpolations.
extension PublicID: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(unchecked: text) }
}
