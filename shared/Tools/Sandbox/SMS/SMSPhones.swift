import Synchronization

/// The text messages sent to phones.
final class SMSPhones: Sendable {
    /// A message on a phone.
    struct Message: Encodable, Sendable, Equatable {
        var to: String
        var from: String
        var text: String
        /// ISO 8601, UTC.
        var at: String
        /// The first six consecutive digits, as phones offer them for autofill.
        var code: String?
    }

    private let messages = Mutex<[Message]>([])

    /// The maximum number of messages kept.
    private static let limit = 2000

    func receive(to: String, from: String, text: String, at: String) {
        let code = text.split { !("0"..."9").contains($0) }.first { $0.count == 6 }.map(String.init)
        messages.withLock { messages in
            messages.append(Message(to: to, from: from, text: text, at: at, code: code))
            if messages.count > Self.limit { messages.removeFirst(Self.limit / 2) }
        }
    }

    /// The messages to one phone, or to all, newest first.
    func messages(to phone: String?) -> [Message] {
        messages.withLock { $0.reversed().filter { phone == nil || $0.to == phone } }
    }
}
