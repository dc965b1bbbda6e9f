package import FoundationEssentials
import Synchronization
import Values

/// A clock that a test moves: either one that stands still in between, or one that goes ahead of the machine's.
package final class ManualClock: Sendable {
    private enum Reading {
        case at(Date)
        /// Seconds; less than 0 for a clock that is behind.
        case ahead(TimeInterval)
    }

    private let reading: Mutex<Reading>

    /// The machine's clock, until it is moved.
    package init() { reading = Mutex(.ahead(0)) }

    /// A clock that stands still.
    package init(_ instant: Date) { reading = Mutex(.at(instant)) }

    /// - Parameter text: an instant of ISO 8601, as `2025-11-05T03:00:00Z`, or a minute in Korea, as `2025-11-05T12:00`.
    package convenience init(_ text: String) { self.init(Self.instant(text)) }

    package var now: Date {
        switch reading.withLock(\.self) {
        case .at(let instant): instant
        case .ahead(let seconds): .now + seconds
        }
    }

    /// - Parameter seconds: less than 0 to set the clock back.
    package func advance(by seconds: TimeInterval) {
        reading.withLock { reading in
            switch reading {
            case .at(let instant): reading = .at(instant + seconds)
            case .ahead(let ahead): reading = .ahead(ahead + seconds)
            }
        }
    }

    package func move(to text: String) { reading.withLock { $0 = .at(Self.instant(text)) } }

    /// The instant of a text as `init` takes it.
    package static func instant(_ text: String) -> Date {
        if let instant = try? Date(text, strategy: .iso8601) { return instant }
        let parts = text.split(separator: "T")
        let time = parts.last?.split(separator: ":").compactMap { Int($0) } ?? []
        guard parts.count == 2, time.count == 2, let date = CivilDate(String(parts[0])) else {
            preconditionFailure("no instant: \(text)")
        }
        return SeoulTime.instant(date, minute: time[0] * 60 + time[1])
    }
}
