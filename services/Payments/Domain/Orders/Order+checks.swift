import FoundationEssentials

extension Order {
    /// Seconds for which an expired order is still polled for late payments, at doubling intervals.
    private static let timeout: TimeInterval = 86_400

    /// Whether no payment can count any more that was not made before an instant.
    ///
    /// - Parameter givingUp: Whether its user gives it up.
    func isOver(at instant: Date, givingUp: Bool) -> Bool { givingUp || heldUntil <= instant }

    /// Time of the next check for payments; nil for none.
    ///
    /// - Parameters:
    ///   - isOver: Whether the order was expired by this check, if it was open.
    ///   - pause: Seconds between two checks of an open order.
    func nextCheck(isOver: Bool, pause: TimeInterval, at now: Date) -> Date? {
        if state == .open, !isOver { return preparedAt == nil ? heldUntil : min(heldUntil, now + pause) }
        guard state == .open || state == .expired, preparedAt != nil else { return nil }
        let since = max(pause, now.timeIntervalSince(heldUntil))
        return since > Self.timeout ? nil : now + since
    }
}
