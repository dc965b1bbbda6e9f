import Synchronization

/// The messages that were written while parts of a cluster failed, and when they arrived at each phone.
final class ClusterRecord: Sendable {
    private struct Message {
        var begun: ContinuousClock.Instant
        /// nil before an answer.
        var acknowledged: ContinuousClock.Instant?
        /// The times at which each phone has received it, in order.
        var received: [[ContinuousClock.Instant]]
    }

    private struct State {
        var messages: [String: Message] = [:]
        /// The messages that were begun since the beginning of a phase.
        var phase: [String] = []
        var name = ""
    }

    private let state = Mutex(State())

    func begin(_ name: String) {
        state.withLock { state in
            state.phase = []
            state.name = name
        }
    }

    /// - Returns: The messages that were begun since `begin` and acknowledged.
    func end() -> [String] {
        state.withLock { state in state.phase.filter { state.messages[$0]?.acknowledged != nil } }
    }

    func begun(_ text: String, phones: Int) {
        state.withLock { state in
            state.messages[text] = Message(begun: .now, received: Array(repeating: [], count: phones))
            state.phase.append(text)
        }
    }

    func acknowledged(_ text: String) {
        state.withLock { $0.messages[text]?.acknowledged = .now }
    }

    func received(_ text: String, by phone: Int) {
        state.withLock { $0.messages[text]?.received[phone].append(.now) }
    }

    /// The deliveries of messages that have not come, in words.
    func lost(_ texts: [String]) -> [String] { faults(of: texts, "has not come", \.isEmpty) }

    func doubled(_ texts: [String]) -> [String] { faults(of: texts, "has come twice") { $0.count > 1 } }

    private func faults(
        of texts: [String],
        _ what: String,
        _ isFault: ([ContinuousClock.Instant]) -> Bool
    ) -> [String] {
        state.withLock { state in
            texts.flatMap { text in
                (state.messages[text]?.received ?? []).enumerated().filter { isFault($0.element) }.map {
                    "\(text) \(what) at gateway \($0.offset + 1)"
                }
            }
        }
    }

    /// Milliseconds from an acknowledgement to the last phone.
    func slowestDelivery(_ texts: [String]) -> Double {
        longest(texts) { message in
            guard let end = message.acknowledged else { return .zero }
            return (message.received.compactMap(\.first).max() ?? end) - end
        }
    }

    /// Milliseconds from the first attempt to the acknowledgement.
    func slowestWrite(_ texts: [String]) -> Double {
        longest(texts) { message in (message.acknowledged ?? message.begun) - message.begun }
    }

    private func longest(_ texts: [String], _ time: (Message) -> Duration) -> Double {
        state.withLock { state in texts.compactMap { state.messages[$0] }.map(time).max() ?? .zero } / .milliseconds(1)
    }
}
