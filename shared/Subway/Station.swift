/// A stop of a line. A station on two lines is two stops.
package struct Station: Sendable, Equatable {
    package var id: StationID
    package var line: Line
    package var name: String
    /// From the previous stop, in seconds; 0 for a line's first.
    package var runningSeconds: Int
    /// From the previous stop, in kilometres.
    package var distanceKm: Double
    /// From the line's first stop, in seconds.
    package var totalSeconds: Int
    /// From the line's first stop, in kilometres.
    package var totalKm: Double

    /// The running time as `m:ss`.
    package var runningTime: String {
        let seconds = runningSeconds % 60
        return "\(runningSeconds / 60):\(seconds < 10 ? "0" : "")\(seconds)"
    }
}
