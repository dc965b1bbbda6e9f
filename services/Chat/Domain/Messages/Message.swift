import Contracts
import FoundationEssentials

/// A message of a room.
struct Message: Sendable, Equatable {
    let room: RoomID
    /// Number in the room.
    let sequence: Int64
    let sender: AccountID
    /// Empty for a message of files only, and after deletion.
    var content: String
    /// Upload names.
    var files: [String] = []
    /// Identifier chosen by the client, for deduplication.
    var clientID: String?
    let createdAt: Date
    var editedAt: Date?
    var deletedAt: Date?
}

/// One event of a room. Numbers start at 1 and have no gaps.
struct RoomEvent: Sendable, Equatable {
    enum Kind: String, Sendable {
        case sent, edited, deleted
    }

    let sequence: Int64
    let kind: Kind
    let at: Date
    /// The current state of the message: events do not keep text that was edited or deleted later.
    let message: Message
    /// The span that it follows from, as `traceparent`; not stored.
    var trace: String?

    /// Whether it is a message that was not deleted later.
    var isNewMessage: Bool { kind == .sent && message.deletedAt == nil }
}

/// Numbers of events in a room.
struct EventRange: Sendable, Hashable {
    let room: RoomID
    /// The number before the first event.
    let after: Int64
    /// The number of the last event.
    let through: Int64
}

/// The public ID of a message: the first 14 hexadecimal digits of the room's ID, followed by the sequence number in 10
/// hexadecimal digits. It is unique in a room and needs no index.
enum MessageID {
    static func text(_ sequence: Int64, in room: PublicID) -> String {
        let digits = String(sequence, radix: 16)
        return room.rawValue.prefix(14) + String(repeating: "0", count: max(10 - digits.count, 0)) + digits
    }

    /// The sequence number in an ID; nil when it is not a valid ID for this room.
    static func sequence(_ text: String, in room: PublicID) -> Int64? {
        guard text.utf8.count == 24, text.hasPrefix(room.rawValue.prefix(14)) else { return nil }
        let digits = text.dropFirst(14)
        guard digits.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else { return nil }
        return Int64(digits, radix: 16).flatMap { $0 > 0 ? $0 : nil }
    }
}
