import Subway

/// A train approaching one of its stops.
struct Approach: Sendable {
    var course: Course
    /// The index of the observed stop in the course.
    var index: Int
    /// Seconds until the arrival; negative afterwards.
    var seconds: Int
    /// Four digits.
    var train: String
    var destination: String

    /// The dwell time at a stop, in seconds.
    static let dwell = 30
    /// The time in seconds for entering a stop, and until a departed train disappears from the board.
    static let passage = 20

    /// Whether the train is still on the board.
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
        // Seconds since the train was at the previous stop; negative if it has not reached it.
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
