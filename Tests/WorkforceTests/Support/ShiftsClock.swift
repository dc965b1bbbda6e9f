import FoundationEssentials
import Synchronization

/// A clock that a test advances.
final class ShiftsClock: Sendable {
    private let time: Mutex<Date>

    /// - Parameter text: a Korean time, `yyyy-MM-ddTHH:mm`.
    init(_ text: String) throws {
        time = Mutex(try seoul(text))
    }

    var now: Date { time.withLock { $0 } }

    func move(to text: String) throws {
        let next = try seoul(text)
        time.withLock { $0 = next }
    }

    func advance(seconds: Double) {
        time.withLock { $0 += seconds }
    }
}
