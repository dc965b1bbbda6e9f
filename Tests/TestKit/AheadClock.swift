package import FoundationEssentials
import Synchronization

/// The machine's clock, which a test may set ahead.
package final class AheadClock: Sendable {
    private let ahead = Mutex<TimeInterval>(0)

    package init() {}

    package var now: Date { .now + ahead.withLock(\.self) }

    /// - Parameter seconds: less than 0 to set it back.
    package func pass(_ seconds: TimeInterval) { ahead.withLock { $0 += seconds } }
}
