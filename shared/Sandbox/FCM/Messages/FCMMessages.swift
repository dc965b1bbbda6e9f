import DequeModule
import Synchronization

/// The messages that were taken for delivery, the newest of very many: adding one costs the same however many there are.
final class FCMMessages: Sendable {
    /// Older messages are forgotten.
    private let limit: Int
    private let messages = Mutex<Deque<FCMMessage>>([])

    init(limit: Int = 200_000) {
        self.limit = limit
    }

    func add(_ message: FCMMessage) {
        messages.withLock { messages in
            messages.append(message)
            if messages.count > limit { messages.removeFirst() }
        }
    }

    /// The messages to one token, or all, newest first.
    func newest(_ limit: Int, to token: String? = nil) -> [FCMMessage] {
        messages.withLock { messages in
            Array(messages.reversed().lazy.filter { token == nil || $0.target.token == token }.prefix(limit))
        }
    }

    func forget() {
        messages.withLock { $0 = [] }
    }

    /// How many there are, and to how many tokens.
    var count: (messages: Int, tokens: Int) {
        let all = newest(limit)
        return (all.count, Set(all.lazy.compactMap(\.target.token)).count)
    }
}
