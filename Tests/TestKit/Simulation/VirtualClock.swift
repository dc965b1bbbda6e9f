/// The time of a simulation, in milliseconds since its beginning. It passes only from one event to the next.
package struct VirtualClock: Sendable {
    package private(set) var now: Int64 = 0

    package init() {}

    package mutating func advance(to instant: Int64) {
        now = max(now, instant)
    }

    /// The time for the trace, in seconds.
    static func text(_ instant: Int64) -> String {
        let fraction = String(1000 + instant % 1000).dropFirst()
        return "\(instant / 1000).\(fraction) s"
    }
}
