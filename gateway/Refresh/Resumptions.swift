import NIOCore

/// Requests of one event loop that have what they waited for. When a storm ends, thousands do at once: they go on a few at a
/// time, so that connections are served in between.
final class Resumptions {
    private var waiting = CircularBuffer<() -> Void>()
    private var isScheduled = false
    private let eventLoop: any EventLoop

    /// How long requests go on before others have their turn, and how long these have it at least.
    private static let turn = TimeAmount.milliseconds(2)
    private static let pause = TimeAmount.microseconds(50)

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Lets a request go on, now or soon.
    func add(_ resume: @escaping () -> Void) {
        waiting.append(resume)
        if !isScheduled { schedule(in: .zero) }
    }

    private func schedule(in time: TimeAmount) {
        isScheduled = true
        eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in run() }
    }

    private func run() {
        isScheduled = false
        let end = NIODeadline.now() + Self.turn
        while let resume = waiting.popFirst() {
            resume()
            if NIODeadline.now() >= end { break }
        }
        if !waiting.isEmpty { schedule(in: Self.pause) }
    }
}
