import FoundationEssentials
import Synchronization

/// A clock that a test sets.
final class PlacesClock: Sendable {
    private let time: Mutex<Date>

    /// - Parameter text: as `2025-11-05T03:00:00Z`.
    init(_ text: String = "2025-11-05T03:00:00Z") {
        time = Mutex(Self.date(text))
    }

    var now: Date { time.withLock { $0 } }

    func move(to text: String) { time.withLock { $0 = Self.date(text) } }

    func advance(by seconds: Double) { time.withLock { $0 += seconds } }

    static func date(_ text: String) -> Date {
        do {
            return try Date(text, strategy: .iso8601)
        } catch {
            preconditionFailure("no instant: \(text)")
        }
    }
}
