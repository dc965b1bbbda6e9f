import FoundationEssentials

/// The last known position of a train of the current day.
struct TrainPosition: Sendable, Equatable {
    /// The name of the train's terminal.
    var terminalName: String
    /// The arrival there by the timetable, from the last known position.
    var arrivalAtTerminal: Date
}
