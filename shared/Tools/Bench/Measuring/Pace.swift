import NIOCore

/// Actions at a constant rate: how many of them are due.
final class Pace {
    private let start = NIODeadline.now()
    /// Between two actions, in nanoseconds.
    private let gap: Double
    private var done = 0

    /// - Parameter rate: Actions per second.
    init(rate: Double) {
        gap = 1_000_000_000 / rate
    }

    /// The numbers of the actions that have become due since the last call.
    func due(at now: NIODeadline = .now()) -> Range<Int> {
        let due = max(done, Int(Double((now - start).nanoseconds) / gap))
        defer { done = due }
        return done..<due
    }
}
