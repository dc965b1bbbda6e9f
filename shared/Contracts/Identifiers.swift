/// The number of a row, typed by what the row is, so that the ids of two kinds cannot be mistaken for each other. In
/// JSON, in text and in a database it is the plain number.
package protocol Identifier: RawRepresentable, Hashable, Comparable, Codable, Sendable, LosslessStringConvertible
where RawValue == Int64 {
    init(rawValue: Int64)
}

extension Identifier {
    /// Parses a decimal number; nil for anything else.
    package init?(_ text: some StringProtocol) {
        guard let number = Int64(text) else { return nil }
        self.init(rawValue: number)
    }

    package var description: String { String(rawValue) }

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

/// An account of one of the apps.
package struct AccountID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A seat of a train's car.
package struct SeatID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A car of a train.
package struct CarID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A chat room.
package struct RoomID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A workplace of MOUP.
package struct WorkplaceID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A member of a workplace: an account works at several, as a worker of its own at each.
package struct WorkerID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A shift of a worker.
package struct ShiftID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A routine: tasks that an account does at its shifts.
package struct RoutineID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A post of a With Suhyeon user who looks for a companion.
package struct CompanionPostID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// Content that users have reported, by its number among the content of its kind.
package struct ReportedContentID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}

/// A ticket with which a client opens With Suhyeon's socket.
package struct TicketID: Identifier {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }
}
