/// What the check of seats knows of the stack.
package struct SeatRules: Sendable {
    /// Microseconds after which a pending request may expire (`SEAT_REQUEST_TIME`).
    package var requestLife: Int64 = 180_000_000
    /// Microseconds after its begin in which an act with an unknown answer may take effect; nil for no limit.
    package var lateness: Int64?
    /// The limit of the search for each car, in steps of the model. Ten million take about five seconds.
    package var steps = 12_000_000

    package init() {}
}
