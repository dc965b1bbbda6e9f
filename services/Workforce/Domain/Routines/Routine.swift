import Contracts

/// A check list for shifts, private to a user (MOUP contract 4, routines).
struct Routine: Sendable, Equatable {
    var id: RoutineID
    var account: AccountID
    var name: String
    /// Minutes after midnight, in Korea.
    var alarmMinute: Int?

    /// Maximum number of routines per user, tasks per routine, and routines per shift (MOUP contract 2, limits).
    static let limit = 20
    static let taskLimit = 50
    static let limitOfShift = 10
}

/// A task of a routine.
struct RoutineTask: Sendable, Equatable {
    var id: RoutineTaskID
    var routine: RoutineID
    var content: String
    /// The sort order of the task; it may have gaps.
    var order: Int64
}

/// A shift that a routine is linked to.
struct RoutineLink: Sendable, Equatable {
    var routine: RoutineID
    var shift: ShiftID
    /// Weekdays of its series, bit 0 is Monday; 0 for a single shift.
    var days: Int
}
