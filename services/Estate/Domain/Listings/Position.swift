import Geography

/// Where a listing is, and where others are told that it is.
struct Position: Sendable, Equatable {
    var exact: Coordinate
    var shown: Coordinate
    /// Whether who asks may know: the creator, and who has paid to reserve it.
    var isKnown: Bool

    /// Where who asks is told that it is.
    var seen: Coordinate { isKnown ? exact : shown }
}
