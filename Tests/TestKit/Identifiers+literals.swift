package import Contracts

/// Tests write ids as plain numbers.
extension AccountID: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension SeatID: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension CarID: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension RoomID: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension WorkplaceID: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension WorkerID: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension ShiftID: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

extension RoutineID: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(rawValue: value) }
}

/// Tests count accounts: `AccountID(1)...40`.
extension AccountID: Strideable {
    package func distance(to other: AccountID) -> Int64 { other.rawValue - rawValue }
    package func advanced(by distance: Int64) -> AccountID { .init(rawValue: rawValue + distance) }
}

/// Tests write public ids as plain texts, with interpolations.
extension PublicID: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) { self.init(unchecked: text) }
}
