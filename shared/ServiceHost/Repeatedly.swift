import Logging

/// Does something again and again until the task is cancelled. What fails is tried again after the pause.
///
/// - Parameters:
///   - what: several things, as the log names them.
///   - waker: ends a pause early.
///   - work: answers whether there may be more at once.
package func repeatedly(
    _ what: String,
    _ waker: Waker = Waker(),
    every pause: Duration = .seconds(1),
    _ work: () async throws -> Bool
) async {
    while !Task.isCancelled {
        do {
            while try await work() { try Task.checkCancellation() }
        } catch {
            if !Task.isCancelled { Logger.current.warning("\(what) have to wait", error: error) }
        }
        await waker.sleep(atMost: pause)
    }
}
