/// A check list for a shift, somebody's own (MOUP contract 4, routines).
struct Routine: Sendable, Equatable {
    var id: Int64
    var account: Int64
    var name: String
    /// Minutes after midnight, in Korea.
    var alarmMinute: Int?

    /// How many one person may have, how many tasks one has, and how many a shift has (MOUP contract 2, limits).
    static let limit = 20
    static let taskLimit = 50
    static let limitOfShift = 10
}

/// One thing to do of a routine.
struct RoutineTask: Sendable, Equatable {
    var id: Int64
    var routine: Int64
    var content: String
    /// Tasks are shown in this order; there may be gaps.
    var order: Int64
}

/// A shift that a routine is linked to.
struct RoutineLink: Sendable, Equatable {
    var routine: Int64
    var shift: Int64
    /// Weekdays of its series, bit 0 is Monday; 0 for a single shift.
    var days: Int
}
