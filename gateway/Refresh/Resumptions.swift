import NIOCore

/// Resumes the waiting requests of one event loop. After an outage thousands may be ready at once; they are resumed in
/// small batches, so that other connections are served in between.
final class Resumptions {
    private var waiting = CircularBuffer<() -> Void>()
    private var isScheduled = false
    private let eventLoop: any EventLoop

    /// The maximum length of a batch, and the minimum pause between batches.
    private static let turn = TimeAmount.milliseconds(2)
    private static let pause = TimeAmount.microseconds(50)

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Resumes a request now or in a later batch.
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
