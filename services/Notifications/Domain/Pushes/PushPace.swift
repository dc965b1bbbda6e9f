import FoundationEssentials

/// How pushes are sent. All times are in seconds.
struct PushPace: Sendable {
    /// How many are on their way at most.
    var concurrency = 256
    /// How many more are taken while those are, so that none of the ways is empty while the database is asked for the next.
    var ahead: Int { concurrency * 3 }
    /// How long a try may last.
    var longestTry: TimeInterval = 60
    /// How long what has been taken may wait for its turn; then it is given back.
    var longestWait: TimeInterval = 10
    /// For how long nobody else takes what one has taken.
    var lease: TimeInterval { longestWait + longestTry }
    /// What has been due for so long is late.
    var lateness: TimeInterval = 30
    /// How many late ones go a second, beside all those that are not.
    var lateRate: Double = 1000
    /// What is older is not sent any more.
    var lifetime: TimeInterval = 3 * 86_400
}
