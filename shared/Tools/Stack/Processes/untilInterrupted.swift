import UnixSignals

/// Runs `work` to completion, or cancels it and throws when the process is to end (SIGINT, SIGTERM, SIGHUP).
func untilInterrupted(_ work: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            for await signal in await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup) {
                throw Interruption(signal: signal)
            }
        }
        group.addTask { try await work() }
        defer { group.cancelAll() }
        try await group.next()
    }
}

/// The process received a signal to end.
struct Interruption: Error, CustomStringConvertible {
    let signal: UnixSignal

    var description: String { "interrupted by \(signal); what was started is stopped again" }
}
