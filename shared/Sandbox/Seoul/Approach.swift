import Subway

/// A train on its way to one of the stops that it serves.
struct Approach: Sendable {
    var course: Course
    /// Which of the course's stops it is seen from.
    var index: Int
    /// Until it arrives there; below 0 once it has.
    var seconds: Int
    /// Four digits.
    var train: String
    /// Where the train goes, as announced.
    var destination: String

    /// Seconds that a train stands at a stop.
    static let dwell = 30
    /// Seconds that a train takes to enter a stop, and to be gone from the board after it has left.
    static let passage = 20

    /// Whether the train has not yet disappeared from the board.
    var isVisible: Bool {
        seconds > -Self.dwell - Self.passage
    }

    var stop: Course.Stop {
        course.stops[index]
    }

    /// `arvlCd` (SeatCatcher contract 3.3).
    enum Code: Int {
        case entering = 0
        case arrived = 1
        case departed = 2
        case departedPrevious = 3
        case enteringPrevious = 4
        case arrivedPrevious = 5
        case running = 99
    }

    var code: Code {
        if seconds <= -Self.dwell { return .departed }
        if seconds <= 0 { return .arrived }
        if seconds <= Self.passage { return .entering }
        guard index > 0 else { return .running }
        // Since the train was at the stop before; below 0 when it has not got there.
        let since = stop.seconds - course.stops[index - 1].seconds - seconds
        return switch since {
        case Self.dwell...: .departedPrevious
        case 0...: .arrivedPrevious
        case (-Self.passage)...: .enteringPrevious
        default: .running
        }
    }

    /// The index of the last stop that the train has reached.
    var position: Int {
        let now = stop.seconds - seconds
        return course.stops[...index].lastIndex { $0.seconds <= now } ?? 0
    }
}
