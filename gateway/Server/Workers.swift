import NIOCore
import NIOPosix

/// The workers of all event loops.
final class Workers: Sendable {
    private let byLoop: [ObjectIdentifier: NIOLoopBound<Worker>]

    /// Makes and starts a worker on each event loop of a group.
    init(_ group: MultiThreadedEventLoopGroup, core: GatewayCore, pages: LocalPages) async throws {
        var workers: [ObjectIdentifier: NIOLoopBound<Worker>] = [:]
        for eventLoop in group.makeIterator() {
            workers[ObjectIdentifier(eventLoop)] = try await eventLoop.submit {
                let worker = Worker(core: core, eventLoop: eventLoop, pages: pages)
                worker.start()
                return NIOLoopBound(worker, eventLoop: eventLoop)
            }.get()
        }
        byLoop = workers
    }

    /// The worker of the event loop that this is called on.
    func worker(of eventLoop: any EventLoop) -> Worker? {
        byLoop[ObjectIdentifier(eventLoop)]?.value
    }

    /// Does something on every event loop, soon.
    func forEach(_ body: @escaping @Sendable (Worker) -> Void) {
        for worker in byLoop.values { worker.eventLoop.execute { body(worker.value) } }
    }

    /// Asks every event loop something.
    func map<Value: Sendable>(_ body: @escaping @Sendable (Worker) -> Value) async throws -> [Value] {
        try await EventLoopFuture.whenAllSucceed(
            byLoop.values.map { worker in worker.eventLoop.submit { body(worker.value) } },
            on: byLoop.values.first.map(\.eventLoop) ?? MultiThreadedEventLoopGroup.singleton.any()
        ).get()
    }

    /// Lets every connection end after its request.
    func drain() async throws {
        let drained = byLoop.values.map { worker in worker.eventLoop.flatSubmit { worker.value.drain() } }
        for worker in drained { try await worker.get() }
    }
}
