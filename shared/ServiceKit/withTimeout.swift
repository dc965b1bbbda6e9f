import NIOCore
import NIOPosix

/// Runs `body` in a task of its own, which is cancelled after a duration, and with the calling task.
///
/// The timer runs on an event loop, the caller's if it is on one, so that a request creates no task group for its deadline and
/// wakes no other thread.
///
/// - Returns: The result of `body`, which decides what follows from its cancellation.
package func withCancellation<Value: Sendable>(
    after duration: Duration,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let task = Task { try await body() }
    let timer = MultiThreadedEventLoopGroup.singleton.any().scheduleTask(in: TimeAmount(duration)) { task.cancel() }
    defer { timer.cancel() }
    return try await withTaskCancellationHandler {
        try await task.value
    } onCancel: {
        task.cancel()
    }
}

/// Runs `body`, and cancels it after a duration.
///
/// - Throws: `TimedOut` if `body` fails after that duration, or an error of `body`.
package func withTimeout<Value: Sendable>(
    _ duration: Duration,
    _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    let end = ContinuousClock.now + duration
    do {
        return try await withCancellation(after: duration, body)
    } catch {
        throw ContinuousClock.now < end ? error : TimedOut()
    }
}

/// The operation did not complete within its timeout.
package struct TimedOut: Error {}
