/// The section from a stop to the next one.
package struct Hop: Sendable, Equatable {
    package var from: Int64
    package var to: Int64
    /// The running time.
    package var seconds: Int
    package var direction: Direction
}
