import Subway
import Synchronization

/// Trains placed by controls, in addition to those of the timetable.
final class PlacedTrains: Sendable {
    /// A train that arrives at the second stop of its course at a given time, and continues.
    struct Train: Sendable {
        var number: String
        var course: Course
        /// When it is at the first stop of its course, in seconds since 1970.
        var startsAt: Int
        var destination: String

        /// When it has disappeared from the last stop's board.
        var endsAt: Int {
            startsAt + (course.stops.last?.seconds ?? 0) + Approach.dwell + Approach.passage
        }
    }

    private let trains = Mutex<[Train]>([])

    /// The maximum number of trains; the oldest are removed.
    private static let limit = 1000

    /// Places a train on the line, replacing one with the same number.
    func place(_ train: Train, now: Int) {
        trains.withLock { trains in
            trains.removeAll { $0.endsAt < now || ($0.number == train.number && $0.course.line == train.course.line) }
            trains.append(train)
            if trains.count > Self.limit { trains.removeFirst() }
        }
    }

    func removeAll() {
        trains.withLock { $0 = [] }
    }

    /// In the order in which they were placed.
    var all: [Train] { trains.withLock { $0 } }

    /// Whether a train with a number has been placed on a line.
    func contains(_ number: String, on line: Line) -> Bool {
        trains.withLock { $0.contains { $0.number == number && $0.course.line == line } }
    }

    func approaches(to station: StationID, now: Int) -> [Approach] {
        trains.withLock { $0 }.flatMap { train in
            train.course.stops.indices
                .filter { train.course.stops[$0].station == station }
                .map { index in
                    Approach(
                        course: train.course,
                        index: index,
                        seconds: train.startsAt + train.course.stops[index].seconds - now,
                        train: train.number,
                        destination: train.destination
                    )
                }
                .filter(\.isVisible)
        }
    }
}
