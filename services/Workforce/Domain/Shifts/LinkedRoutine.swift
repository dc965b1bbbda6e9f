/// A routine of a shift, with all the shifts that it is linked to.
struct LinkedRoutine: Sendable, Equatable {
    var routine: Routine
    var links: [RoutineLink]
}

/// A shift that takes over from another one.
struct ShiftCopy: Sendable, Equatable {
    var original: Int64
    var copy: Int64
}
