import Values

/// The time until a program that has died may be started again.
struct RestartPause {
    private var backoff = Backoff(from: .seconds(1), to: .seconds(60))
    private var last = ContinuousClock.now
    private var end = ContinuousClock.now

    /// A program that ran for this long is started with the shortest pause again.
    private static let stable: Duration = .seconds(120)

    func isOver(at now: ContinuousClock.Instant = .now) -> Bool { now >= end }

    mutating func begin(at now: ContinuousClock.Instant = .now) {
        if now - last > Self.stable { backoff.reset() }
        last = now
        end = now + backoff.next()
    }
}
