import FoundationEssentials

/// How pushes are sent. All times are in seconds.
struct PushPace: Sendable {
    /// How many are on their way at most.
    var concurrency = 256
    /// For how long nobody else takes what one has taken; longer than a try may last.
    var lease: TimeInterval = 60
    /// What has been due for so long is late.
    var lateness: TimeInterval = 30
    /// How many late ones go a second, beside all those that are not.
    var lateRate: Double = 1000
    /// What is older is not sent any more.
    var lifetime: TimeInterval = 3 * 86_400
}
