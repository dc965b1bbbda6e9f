/// The direction of a train on its line; the raw value is the first digit of the arrivals service's `ordkey`
/// (SeatCatcher contract 7).
package enum Direction: Int, Sendable, CaseIterable {
    /// Up the line; the inner track on the circle of line 2, clockwise.
    case up = 0
    /// Down the line; the outer track on the circle.
    case down = 1

    package var opposite: Direction {
        self == .up ? .down : .up
    }
}
