/// A minute in which a number of people was held.
struct LoadMinute: Sendable, Equatable {
    /// From the first act, from 0.
    var number: Int
    var people: Int
    /// Acts of all kinds.
    var acts: LoadWindow.Acts
    var seconds: Double
    /// Bytes at its end, by program; empty if it was not read.
    var memory: [String: Int]

    /// Bytes of all programs; nil if it was not read.
    var totalMemory: Int? { memory.isEmpty ? nil : memory.values.reduce(0, +) }
    /// Milliseconds; nil without acts.
    var p50: Double? { acts.latencies.quantile(0.5) }
    var p99: Double? { acts.latencies.quantile(0.99) }

    /// The minutes of windows, in their order.
    static func minutes(of windows: [LoadWindow], since start: Moment) -> [LoadMinute] {
        windows.reduce(into: []) { minutes, window in
            let number = Int((window.begun.microseconds - start.microseconds) / 60_000_000)
            if minutes.last?.number != number || minutes.last?.people != window.people {
                let empty = LoadMinute(number: number, people: window.people, acts: .init(), seconds: 0, memory: [:])
                minutes.append(empty)
            }
            let last = minutes.count - 1
            minutes[last].acts.add(window.total)
            minutes[last].seconds += window.seconds
            if !window.memory.isEmpty { minutes[last].memory = window.memory }
        }
    }
}

/// A straight line through values by the minute, by least squares.
struct MinuteTrend: Sendable, Equatable {
    /// By how much the value changes in an hour.
    var perHour: Double
    /// The change between both ends of the line, divided by the mean: 0.05 for a value that has grown by a twentieth.
    var share: Double

    /// - Parameter points: The minutes with their values.
    /// - Returns: nil for fewer than ten minutes, which are too few to tell a trend, or a mean of 0.
    init?(_ points: [(minute: Int, value: Double)]) {
        guard points.count >= 10, let first = points.first?.minute, let last = points.last?.minute else { return nil }
        let count = Double(points.count)
        let time = points.reduce(0) { $0 + Double($1.minute) } / count
        let mean = points.reduce(0) { $0 + $1.value } / count
        let square = points.reduce(0) { $0 + (Double($1.minute) - time) * (Double($1.minute) - time) }
        guard square > 0, mean != 0 else { return nil }
        let slope = points.reduce(0) { $0 + (Double($1.minute) - time) * ($1.value - mean) } / square
        (perHour, share) = (slope * 60, slope * Double(last - first) / mean)
    }
}
