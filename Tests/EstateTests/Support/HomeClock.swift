import FoundationEssentials
import Synchronization

/// A clock that a test sets.
final class HomeClock: Sendable {
    private let instant: Mutex<Date>

    /// - Parameter text: ISO 8601.
    init(_ text: String) {
        instant = Mutex((try? Date(text, strategy: .iso8601)) ?? .distantPast)
    }

    var now: Date { instant.withLock { $0 } }

    func advance(_ seconds: Double) { instant.withLock { $0 += seconds } }
}
