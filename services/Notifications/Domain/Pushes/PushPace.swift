import FoundationEssentials

/// Limits and timeouts of sending. All times are in seconds.
struct PushPace: Sendable {
    /// Maximum number of concurrent attempts.
    var concurrency = 256
    /// Number of pushes taken in advance, so that sending does not wait for the database.
    var ahead: Int { concurrency * 3 }
    /// Maximum duration of an attempt.
    var longestTry: TimeInterval = 60
    /// How long a taken push may wait before its mailbox is released.
    var longestWait: TimeInterval = 10
    /// Duration of the lease on a mailbox.
    var lease: TimeInterval { longestWait + longestTry }
    /// A push due for longer than this is overdue.
    var lateness: TimeInterval = 30
    /// Overdue pushes per second, in addition to all others.
    var lateRate: Double = 1000
    /// Older pushes are dropped.
    var lifetime: TimeInterval = 3 * 86_400
}
