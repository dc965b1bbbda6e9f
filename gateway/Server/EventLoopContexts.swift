import NIOCore
import NIOPosix

/// The `EventLoopContext`s of all event loops.
final class EventLoopContexts: Sendable {
    private let byLoop: [ObjectIdentifier: NIOLoopBound<EventLoopContext>]

    /// Creates and starts an `EventLoopContext` on each event loop of a group.
    init(_ group: MultiThreadedEventLoopGroup, core: GatewayCore, pages: LocalPages) async throws {
        var contexts: [ObjectIdentifier: NIOLoopBound<EventLoopContext>] = [:]
        for eventLoop in group.makeIterator() {
            contexts[ObjectIdentifier(eventLoop)] = try await eventLoop.submit {
                let context = EventLoopContext(core: core, eventLoop: eventLoop, pages: pages)
                context.start()
                return NIOLoopBound(context, eventLoop: eventLoop)
            }.get()
        }
        byLoop = contexts
    }

    var count: Int { byLoop.count }

    /// The `EventLoopContext` of the current event loop.
    func context(of eventLoop: any EventLoop) -> EventLoopContext? {
        byLoop[ObjectIdentifier(eventLoop)]?.value
    }

    /// Executes a closure on every event loop, asynchronously.
    func forEach(_ body: @escaping @Sendable (EventLoopContext) -> Void) {
        for context in byLoop.values { context.eventLoop.execute { body(context.value) } }
    }

    /// Executes a closure on every event loop and collects the results.
    func map<Value: Sendable>(_ body: @escaping @Sendable (EventLoopContext) -> Value) async throws -> [Value] {
        try await EventLoopFuture.whenAllSucceed(
            byLoop.values.map { context in context.eventLoop.submit { body(context.value) } },
            on: byLoop.values.first.map(\.eventLoop) ?? MultiThreadedEventLoopGroup.singleton.any()
        ).get()
    }

    /// Lets every connection close after its current request.
    func drain() async throws {
        let drained = byLoop.values.map { context in context.eventLoop.flatSubmit { context.value.drain() } }
        for future in drained { try await future.get() }
    }
}
