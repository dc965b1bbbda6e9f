import FoundationEssentials

/// Something that was written in a room.
struct Message: Sendable, Equatable {
    let room: Int64
    /// Its number in the room.
    let sequence: Int64
    let sender: Int64
    /// Empty when only files were sent, and when it was taken back.
    var content: String
    /// The names of uploads.
    var files: [String] = []
    /// What the sender's phone calls it.
    var clientID: String?
    let createdAt: Date
    var editedAt: Date?
    var deletedAt: Date?
}

/// One step of a room's history. Numbers begin with 1 and have no gaps.
struct RoomEvent: Sendable, Equatable {
    enum Kind: String, Sendable {
        case sent, edited, deleted
    }

    let sequence: Int64
    let kind: Kind
    let at: Date
    /// The message as it is now; the text of one that was changed or taken back since is not told again.
    let message: Message
}

/// The public id of a message: 14 digits of its room's and ten of its number, hexadecimal. So it needs no index, and no two
/// messages of a room share one.
enum MessageID {
    static func text(_ sequence: Int64, in room: String) -> String {
        let digits = String(sequence, radix: 16)
        return room.prefix(14) + String(repeating: "0", count: max(10 - digits.count, 0)) + digits
    }

    /// The number in an id; nil for what is no id of this room.
    static func sequence(_ text: String, in room: String) -> Int64? {
        guard text.utf8.count == 24, text.hasPrefix(room.prefix(14)) else { return nil }
        let digits = text.dropFirst(14)
        guard digits.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else { return nil }
        return Int64(digits, radix: 16).flatMap { $0 > 0 ? $0 : nil }
    }
}
