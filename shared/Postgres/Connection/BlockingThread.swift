import Glibc

/// Threads for blocking calls: the event loop itself, name resolution, `PQcancel`.
enum BlockingThread {
    /// Runs `body` on a new thread.
    @discardableResult
    static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t {
        let box = Unmanaged.passRetained(Body(body)).toOpaque()
        var thread = pthread_t()
        // Fails only while the system is out of threads or memory.
        while pthread_create(&thread, nil, { BlockingThread.run($0) }, box) != 0 { usleep(10_000) }
        pthread_detach(thread)
        return thread
    }

    /// Runs a blocking call on a new thread and waits for its result.
    static func call<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            start { continuation.resume(returning: body()) }
        }
    }

    private final class Body {
        let call: @Sendable () -> Void

        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
    }

    private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().call()
        return nil
    }
}
