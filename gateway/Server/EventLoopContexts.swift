import NIOCore
import NIOPosix

/// The `EventLoopContext`s of all event loops.
final class EventLoopContexts: Sendable {
    private let byLoop: [ObjectIdentifier: NIOLoopBound<EventLoopContext>]

    /// Creates and starts an `EventLoopContext` on each event loop of a group.
    init(_ group: MultiThreadedEventLoopGroup, core: GatewayCore, pages: LocalPages) async throws {
        var workers: [ObjectIdentifier: NIOLoopBound<EventLoopContext>] = [:]
        for eventLoop in group.makeIterator() {
            workers[ObjectIdentifier(eventLoop)] = try await eventLoop.submit {
                let worker = EventLoopContext(core: core, eventLoop: eventLoop, pages: pages)
                worker.start()
                return NIOLoopBound(worker, eventLoop: eventLoop)
            }.get()
        }
        byLoop = workers
    }

    /// The `EventLoopContext` of the current event loop.
    func worker(of eventLoop: any EventLoop) -> EventLoopContext? {
        byLoop[ObjectIdentifier(eventLoop)]?.value
    }

    /// Executes a closure on every event loop, asynchronously.
    func forEach(_ body: @escaping @Sendable (EventLoopContext) -> Void) {
        for worker in byLoop.values { worker.eventLoop.execute { body(worker.value) } }
    }

    /// Executes a closure on every event loop and collects the results.
    func map<Value: Sendable>(_ body: @escaping @Sendable (EventLoopContext) -> Value) async throws -> [Value] {
        try await EventLoopFuture.whenAllSucceed(
            byLoop.values.map { worker in worker.eventLoop.submit { body(worker.value) } },
            on: byLoop.values.first.map(\.eventLoop) ?? MultiThreadedEventLoopGroup.singleton.any()
        ).get()
    }

    /// Lets every connection close after its current request.
    func drain() async throws {
        let drained = byLoop.values.map { worker in worker.eventLoop.flatSubmit { worker.value.drain() } }
        for worker in drained { try await worker.get() }
    }
}
