/// The section from a stop to the next one.
package struct Hop: Sendable, Equatable {
    package var from: StationID
    package var to: StationID
    /// The running time.
    package var seconds: Int
    package var direction: Direction
}
