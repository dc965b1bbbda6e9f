import FoundationEssentials

/// What is known of a train that was seen today.
struct Sighting: Sendable, Equatable {
    /// Where the train ends.
    var terminalName: String
    /// When it is there by the timetable, counted from where it was last seen.
    var arrivalAtTerminal: Date
}
