import DequeModule
import Synchronization

/// The newest accepted messages; adding one takes constant time.
final class FCMMessages: Sendable {
    private struct State {
        var messages: Deque<FCMMessage> = []
        /// The number of messages per token.
        var counts: [String: Int] = [:]

        mutating func removeOldest() {
            guard let token = messages.popFirst()?.target.token, let count = counts[token] else { return }
            counts[token] = count > 1 ? count - 1 : nil
        }
    }

    /// The maximum number of messages kept.
    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int = 200_000) {
        self.limit = limit
    }

    func add(_ message: FCMMessage) {
        state.withLock { state in
            state.messages.append(message)
            if let token = message.target.token { state.counts[token, default: 0] += 1 }
            if state.messages.count > limit { state.removeOldest() }
        }
    }

    /// The messages to one token, or of one push (`apns-id`), or all, newest first.
    func newest(_ limit: Int, to token: String? = nil, id: String? = nil) -> [FCMMessage] {
        state.withLock { state in
            let wanted = state.messages.reversed().lazy.filter { message in
                (token == nil || message.target.token == token) && (id == nil || message.apnsID == id)
            }
            return Array(wanted.prefix(limit))
        }
    }

    func forget() {
        state.withLock { $0 = State() }
    }

    /// The number of messages and of tokens.
    var count: (messages: Int, tokens: Int) {
        state.withLock { ($0.messages.count, $0.counts.count) }
    }
}
