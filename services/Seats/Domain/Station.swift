/// A stop of a line. A station on two lines is two stops.
struct Station: Sendable, Equatable {
    var id: Int64
    var line: Line
    var name: String
    /// From the stop before, in seconds; 0 for a line's first.
    var runningSeconds: Int
    /// From the stop before, in kilometres.
    var distanceKm: Double
    /// From the line's first stop, in seconds.
    var totalSeconds: Int
    /// From the line's first stop, in kilometres.
    var totalKm: Double

    /// The running time as `m:ss`.
    var runningTime: String {
        let seconds = runningSeconds % 60
        return "\(runningSeconds / 60):\(seconds < 10 ? "0" : "")\(seconds)"
    }
}
