/// Limits the reads that are sent to a second address to a tenth of all, so that they cannot double the load of a service
/// that is slow as a whole.
struct HedgeBudget {
    private var left = Self.most

    private static let most = 10.0
    private static let share = 0.1

    mutating func countRead() { left = min(left + Self.share, Self.most) }

    /// - Returns: Whether one more may be sent twice.
    mutating func take() -> Bool {
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
