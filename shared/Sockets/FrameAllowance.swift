package import NIOCore
import Synchronization

/// A rate limit of a client's frames.
package struct FrameRate: Sendable, Equatable {
    /// In the long run.
    package var perSecond: Double
    /// At once.
    package var burst: Double

    package init(perSecond: Double, burst: Double) {
        self.perSecond = perSecond
        self.burst = burst
    }
}

/// A token bucket of frames, initially full: what a connection, or an account with all its connections, may send.
package struct FrameAllowance: Sendable {
    private let rate: FrameRate
    private var left: Double
    private var at: NIODeadline

    package init(_ rate: FrameRate = FrameRate(perSecond: 50, burst: 500), now: NIODeadline) {
        self.rate = rate
        left = rate.burst
        at = now
    }

    /// - Returns: false when the limit is exceeded.
    package mutating func take(now: NIODeadline) -> Bool {
        refill(now)
        guard left >= 1 else { return false }
        left -= 1
        return true
    }

    /// Whether the bucket equals a new one.
    mutating func isFull(now: NIODeadline) -> Bool {
        refill(now)
        return left >= rate.burst
    }

    private mutating func refill(_ now: NIODeadline) {
        // The event loops of an account's connections read the clock at different times.
        guard now > at else { return }
        left = min(left + Double((now - at).nanoseconds) / 1e9 * rate.perSecond, rate.burst)
        at = now
    }
}

/// The allowances of the accounts with connections in this process, shared by all connections of an account. An account
/// that connects again soon finds its allowance as it left it.
final class AccountAllowances: Sendable {
    private struct Entry {
        var allowance: FrameAllowance
        var connections: Int
    }

    private let rate: FrameRate
    private let entries = Mutex<[String: Entry]>([:])
    /// At this number, the allowances of accounts without connections are removed if they are full.
    private static let manyEntries = 4096

    init(_ rate: FrameRate) {
        self.rate = rate
    }

    func enter(_ account: String, now: NIODeadline) {
        entries.withLock { entries in
            if entries.count >= Self.manyEntries, entries[account] == nil {
                entries = entries.filter { _, entry in
                    var allowance = entry.allowance
                    return entry.connections > 0 || !allowance.isFull(now: now)
                }
            }
            entries[account, default: Entry(allowance: FrameAllowance(rate, now: now), connections: 0)].connections += 1
        }
    }

    func leave(_ account: String) {
        entries.withLock { $0[account]?.connections -= 1 }
    }

    /// - Returns: false when the limit is exceeded.
    func take(_ account: String, now: NIODeadline) -> Bool {
        entries.withLock { $0[account]?.allowance.take(now: now) ?? true }
    }
}
