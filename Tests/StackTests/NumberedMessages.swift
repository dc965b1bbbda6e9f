import Synchronization
import TestKit

/// Numbered messages that are written one after the other while something else happens. A message without an answer is
/// sent again with its id, as apps do.
final class NumberedMessages: Sendable {
    private let state = Mutex((written: [String](), failures: [String](), isStopped: false))
    private let received: @Sendable () -> Int
    private let send: @Sendable (_ text: String, _ id: String, _ attempt: Int) async throws -> Void

    /// - Parameters:
    ///   - received: The number of messages that every reader has received; those without an answer are among them.
    ///   - send: Returns when a message is acknowledged. The attempts of a message count on from its number.
    init(
        received: @escaping @Sendable () -> Int = { .max },
        send: @escaping @Sendable (_ text: String, _ id: String, _ attempt: Int) async throws -> Void
    ) {
        (self.received, self.send) = (received, send)
    }

    /// The acknowledged texts, in order.
    var written: [String] { state.withLock(\.written) }
    /// The attempts that were not acknowledged, in words.
    var failures: [String] { state.withLock(\.failures) }

    /// Writes while `body` runs, some messages before it and some after it.
    func whileWriting(_ body: () async throws -> Void) async throws {
        let load = Task {
            var number = 0
            while !self.state.withLock(\.isStopped) {
                number += 1
                await self.write(number)
            }
        }
        let outcome: Result<Void, any Error>
        do {
            try await goOn(for: 10)
            try await body()
            try await goOn(for: 20)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        state.withLock { $0.isStopped = true }
        await load.value
        try outcome.get()
    }

    /// Returns when so many more messages are acknowledged, and all readers have them.
    func goOn(for count: Int) async throws {
        let target = written.count + count
        try await eventually("messages go on", within: .seconds(120)) { written.count >= target }
        try await eventually("messages are delivered", within: .seconds(120)) { received() >= target }
    }

    private func write(_ number: Int) async {
        var attempt = number
        while !state.withLock(\.isStopped) {
            do {
                try await send("\(number)번째", "m\(number)", attempt)
                state.withLock { $0.written.append("\(number)번째") }
                try await Task.sleep(for: .milliseconds(20))
                return
            } catch {
                state.withLock { $0.failures.append("\(number): \(error)") }
                attempt += 1
                try? await Task.sleep(for: .milliseconds(50))
            }
        }
    }
}
