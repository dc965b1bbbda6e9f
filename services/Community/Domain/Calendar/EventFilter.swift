import Values

/// A filter of events. Nil fields do not restrict.
struct EventFilter: Sendable, Equatable {
    /// Events that end on this day or later.
    var from: CivilDate?
    /// Events that start on this day or earlier.
    var to: CivilDate?
    /// Name of a district: `노원구`.
    var district: String?
    /// The name of a category, or its first part: `교육` matches `교육/체험`.
    var category: String?
    /// A part of the title, case-insensitive.
    var title: String?
    var isFree: Bool?
    /// Origin of distances.
    var near: Coordinate?
    /// Metres from the origin.
    var maxDistance: Double?
}
