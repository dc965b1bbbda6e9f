import Logging

/// Runs a job periodically until the task is cancelled. A failed run is retried after the pause.
///
/// - Parameters:
///   - what: The plural name of the job's objects in log messages.
///   - waker: Ends a pause early.
///   - work: The job; returns whether there may be more to do immediately.
package func repeatedly(
    _ what: String,
    _ waker: AsyncSignal = AsyncSignal(),
    every pause: Duration = .seconds(1),
    _ work: () async throws -> Bool
) async {
    while !Task.isCancelled {
        do {
            while try await work() { try Task.checkCancellation() }
        } catch {
            if !Task.isCancelled { Logger.current.warning("background job: \(what) failed, will retry", error: error) }
        }
        await waker.sleep(atMost: pause)
    }
}
