import Subway

/// A timetable computed from the time and the station data alone, so that a train can be followed from stop to stop
/// across requests.
struct Timetable: Sendable {
    /// A sequence of trains on one course.
    struct Service: Sendable {
        var course: Course
        /// Seconds between two trains.
        var headway: Int
        /// The lowest train number. Trains that start upwards have even numbers, the others odd ones.
        var firstNumber: Int
        /// The number of trains until the numbers repeat.
        var numbers: Int
        /// Indices of the stops at which trains are announced; nil for all.
        var announced: Range<Int>?
        /// The announced destinations, from an index of the course on.
        var destinations: [(index: Int, name: String)]
    }

    let services: [Service]

    /// The next trains at a stop: two per service and passage, nearest first.
    ///
    /// - Parameter now: Seconds since 1970.
    func approaches(to station: StationID, now: Int) -> [Approach] {
        services.flatMap { service in
            (service.announced ?? service.course.stops.indices)
                .filter { service.course.stops[$0].station == station }
                .flatMap { index in service.next(2, at: index, now: now) }
        }
    }
}

extension Timetable.Service {
    fileprivate func next(_ count: Int, at index: Int, now: Int) -> [Approach] {
        let offset = course.stops[index].seconds
        // The first train that is still visible.
        let elapsed = now - Approach.dwell - Approach.passage - offset
        let first = elapsed / headway + 1
        return (first..<first + count).map { number in
            Approach(
                course: course,
                index: index,
                seconds: number * headway + offset - now,
                train: name(number),
                destination: destinations.last { $0.index <= index }?.name ?? ""
            )
        }
    }

    /// A four-digit train number, unique within a day.
    private func name(_ number: Int) -> String {
        let digits = String(firstNumber + number % numbers * 2 + course.stops[0].direction.rawValue)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }
}
