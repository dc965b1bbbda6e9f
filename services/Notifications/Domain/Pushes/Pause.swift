import FoundationEssentials

/// How long to leave alone what has failed: a second after the first time, doubling up to a minute, never less than asked
/// for, and never the same for all, so that not all come back at once.
enum Pause {
    private static let longest: TimeInterval = 60
    /// What is asked for counts up to this.
    private static let longestAsked: TimeInterval = 3600

    /// - Parameters:
    ///   - failures: how often it has failed, this time included.
    ///   - asked: seconds that FCM has asked for (`Retry-After`).
    static func after(_ failures: Int, asked: TimeInterval? = nil) -> TimeInterval {
        let doubled = min(longest, TimeInterval(1 << min(max(failures, 1) - 1, 6))) * .random(in: 0.75...1.25)
        return max(doubled, min(asked ?? 0, longestAsked))
    }
}
