import FoundationEssentials
import Synchronization
import Values

/// A clock that a test sets.
final class MovableClock: Sendable {
    private let instant: Mutex<Date>

    /// - Parameter minute: after midnight in Korea.
    init(_ year: Int, _ month: Int, _ day: Int, minute: Int = 0) {
        let date = CivilDate(year: year, month: month, day: day) ?? CivilDate(dayNumber: 0)
        instant = Mutex(SeoulTime.instant(date, minute: minute))
    }

    var now: Date { instant.withLock(\.self) }

    func pass(_ seconds: TimeInterval) { instant.withLock { $0 += seconds } }
}
