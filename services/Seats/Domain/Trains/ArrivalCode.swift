/// The position of a train relative to a station: `arvlCd` of the arrivals API (SeatCatcher contract 3.3).
enum ArrivalCode: Int, Sendable, CaseIterable {
    case entering = 0
    case arrived = 1
    case departed = 2
    case departedPrevious = 3
    case enteringPrevious = 4
    case arrivedPrevious = 5
    case running = 99

    /// Whether the train has reached the station.
    var isHere: Bool {
        switch self {
        case .entering, .arrived, .departed: true
        case .departedPrevious, .enteringPrevious, .arrivedPrevious, .running: false
        }
    }
}
