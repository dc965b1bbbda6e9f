import FoundationEssentials
import Values

/// The pause after failures: from 1 s, doubled up to 60 s, and at least as long as requested by FCM.
enum Pause {
    private static let backoff = Backoff(from: .seconds(1), to: .seconds(60))
    /// Limit of the requested pause.
    private static let longestAsked: TimeInterval = 3600

    /// - Parameters:
    ///   - failures: Number of failures, including the current one.
    ///   - asked: Seconds requested by FCM (`Retry-After`).
    static func after(_ failures: Int, asked: TimeInterval? = nil) -> TimeInterval {
        max(backoff.pause(after: failures) / .seconds(1), min(asked ?? 0, longestAsked))
    }
}
