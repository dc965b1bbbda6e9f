import Values

/// The exact and the public position of a listing.
struct Position: Sendable, Equatable {
    var exact: Coordinate
    var shown: Coordinate
    /// Whether the viewer may see the exact position: the creator, and the user who has paid to reserve the listing.
    var isKnown: Bool

    /// The position for the viewer.
    var seen: Coordinate { isKnown ? exact : shown }
}
