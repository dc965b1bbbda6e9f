import FoundationEssentials

/// A room while something is being written into it: gives out numbers and times. Whoever holds one holds the lock on the
/// room's row.
struct RoomDesk: Sendable, Equatable {
    let room: Room
    /// The number of the last thing that happened.
    private(set) var lastSequence: Int64
    /// The number of the last message.
    private(set) var lastMessage: Int64
    /// When the last message was written.
    private(set) var updatedAt: Date
    /// One of the two has blocked the other.
    let isBlocked: Bool
    /// Those of the two who have left the app.
    let gone: Set<Int64>
    /// How With Suhyeon calls the sides of the two; empty in Anlaka.
    let sides: [Int64: String]

    init(
        room: Room,
        lastSequence: Int64,
        lastMessage: Int64,
        updatedAt: Date,
        isBlocked: Bool = false,
        gone: Set<Int64> = [],
        sides: [Int64: String] = [:]
    ) {
        self.room = room
        self.lastSequence = lastSequence
        self.lastMessage = lastMessage
        self.updatedAt = updatedAt
        self.isBlocked = isBlocked
        self.gone = gone
        self.sides = sides
    }

    /// The next message. Its time is later than that of the one before, in whole milliseconds, so that who asks for what is
    /// newer than a message gets all of it and nothing twice.
    ///
    /// - Throws: `ChatError.notAMember`, `.blocked`, `.personNotFound` when the other has left.
    mutating func write(_ draft: MessageDraft, at now: Date) throws(ChatError) -> Message {
        guard room.has(draft.sender), !gone.contains(draft.sender) else { throw .notAMember }
        guard !isBlocked else { throw .blocked }
        guard gone.isEmpty else { throw .personNotFound }
        lastSequence += 1
        lastMessage = lastSequence
        updatedAt = Self.milliseconds(after: updatedAt, now)
        return Message(
            room: room.id,
            sequence: lastSequence,
            sender: draft.sender,
            content: draft.content,
            files: draft.files,
            clientID: draft.clientID,
            createdAt: updatedAt
        )
    }

    /// The number of a change to a message. Whom one has blocked cannot write by editing either; what was said can always be
    /// taken back.
    ///
    /// - Throws: `ChatError.blocked`.
    mutating func change(_ kind: RoomEvent.Kind) throws(ChatError) -> Int64 {
        guard !isBlocked || kind == .deleted else { throw .blocked }
        lastSequence += 1
        return lastSequence
    }

    private static func milliseconds(after earlier: Date, _ now: Date) -> Date {
        let last = Int64((earlier.timeIntervalSince1970 * 1000).rounded())
        let next = max(Int64(now.timeIntervalSince1970 * 1000), last + 1)
        return Date(timeIntervalSince1970: Double(next) / 1000)
    }
}
