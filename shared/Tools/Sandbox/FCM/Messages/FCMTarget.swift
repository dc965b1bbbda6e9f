/// The target of a message.
enum FCMTarget: Sendable, Equatable {
    /// One app on one device.
    case token(String)
    /// The subscribers of a topic.
    case topic(String)
    /// The subscribers of a combination of topics.
    case condition(String)

    /// The maximum size of a token, in bytes.
    static let tokenLimit = 4096

    private static let names = ["token", "topic", "condition"]

    /// - Parameter message: The fields of `message`.
    /// - Throws: `FCMError` for none of the three fields, more than one, or an invalid one.
    init(_ message: FCMFields) throws(FCMError) {
        let present = message.present(of: Self.names)
        guard let name = present.first else { throw .invalid("message", "Recipient of the message is not set.") }
        guard present.count == 1 else {
            let others = present.dropFirst().joined(separator: ", ")
            throw .unreadable("message", "Invalid value at 'message': '\(name)' is already set, cannot set \(others).")
        }
        let text = try message.text(name) ?? ""
        switch name {
        case "token":
            guard (1...Self.tokenLimit).contains(text.utf8.count) else { throw FCMError(.invalidArgument) }
            self = .token(text)
        case "topic":
            let topic = text.hasPrefix("/topics/") ? String(text.dropFirst("/topics/".count)) : text
            guard !topic.isEmpty, topic.utf8.allSatisfy(Self.isOfTopic) else {
                throw .invalid("message.topic", "Invalid topic name.")
            }
            self = .topic(topic)
        default:
            guard !text.isEmpty else { throw .invalid("message.condition", "Invalid condition expression.") }
            self = .condition(text)
        }
    }

    /// The token of a message to one device.
    var token: String? {
        if case .token(let token) = self { token } else { nil }
    }

    private static func isOfTopic(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-_.~%".utf8.contains(byte)
        }
    }
}
