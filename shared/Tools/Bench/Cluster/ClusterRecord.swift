import StackKit
import Synchronization
import Values

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
        var start = ContinuousClock.now
    }

    private let state = Mutex(State())

    func begin(_ name: String) {
        state.withLock { state in
            (state.phase, state.name, state.start) = ([], name, .now)
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

    /// The message of the slowest delivery and that of the slowest write, each with the time since `begin`, in words.
    func slowest(_ texts: [String]) -> [String] {
        state.withLock { state in
            let messages = texts.compactMap { text in state.messages[text].map { (text, $0) } }
            func time(_ message: Message) -> String { Figure.text((message.begun - state.start) / .milliseconds(1)) }
            let deliveries = messages.flatMap { text, message in
                message.received.enumerated().map { phone, times in
                    let end = message.acknowledged ?? message.begun
                    return (text, message, phone, (times.first ?? end) - end)
                }
            }
            let delivery = deliveries.max { $0.3 < $1.3 }.map { text, message, phone, _ in
                "slowest delivery: \(text) at gateway \(phone + 1), written at \(time(message)) ms"
            }
            let write = messages.max {
                ($0.1.acknowledged ?? $0.1.begun) - $0.1.begun < ($1.1.acknowledged ?? $1.1.begun) - $1.1.begun
            }
            return [delivery, write.map { "slowest write: \($0.0), begun at \(time($0.1)) ms" }].compactMap(\.self)
        }
    }

    private func longest(_ texts: [String], _ time: (Message) -> Duration) -> Double {
        state.withLock { state in texts.compactMap { state.messages[$0] }.map(time).max() ?? .zero } / .milliseconds(1)
    }
}
