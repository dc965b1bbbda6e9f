import FoundationEssentials

/// Backoff after failures: from 1 s, doubled up to 60 s, with jitter of ±25 %, and at least as long as requested by
/// FCM.
enum Pause {
    private static let longest: TimeInterval = 60
    /// Limit of the requested pause.
    private static let longestAsked: TimeInterval = 3600

    /// - Parameters:
    ///   - failures: Number of failures, including the current one.
    ///   - asked: Seconds requested by FCM (`Retry-After`).
    static func after(_ failures: Int, asked: TimeInterval? = nil) -> TimeInterval {
        let doubled = min(longest, TimeInterval(1 << min(max(failures, 1) - 1, 6))) * .random(in: 0.75...1.25)
        return max(doubled, min(asked ?? 0, longestAsked))
    }
}
