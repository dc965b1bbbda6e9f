/// The way from a stop to the next one, without a stop between.
package struct Hop: Sendable, Equatable {
    package var from: Int64
    package var to: Int64
    /// The running time.
    package var seconds: Int
    package var direction: Direction
}
