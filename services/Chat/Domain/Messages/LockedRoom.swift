import Contracts
import FoundationEssentials

/// A room whose row is locked by the current transaction. Assigns sequence numbers and timestamps.
struct LockedRoom: Sendable, Equatable {
    let room: Room
    /// Number of the last event.
    private(set) var lastSequence: Int64
    /// Number of the last message.
    private(set) var lastMessage: Int64
    /// Time of the last message.
    private(set) var updatedAt: Date
    /// One of the two has blocked the other.
    let isBlocked: Bool
    /// The members who have withdrawn.
    let gone: Set<AccountID>
    /// With Suhyeon: each member's own ID of the room. Empty in Anlaka.
    let sides: [AccountID: PublicID]

    init(
        room: Room,
        lastSequence: Int64,
        lastMessage: Int64,
        updatedAt: Date,
        isBlocked: Bool = false,
        gone: Set<AccountID> = [],
        sides: [AccountID: PublicID] = [:]
    ) {
        self.room = room
        self.lastSequence = lastSequence
        self.lastMessage = lastMessage
        self.updatedAt = updatedAt
        self.isBlocked = isBlocked
        self.gone = gone
        self.sides = sides
    }

    /// Creates the next message. Its timestamp is later than the previous one's, in whole milliseconds, so that paging
    /// by "newer than" neither skips nor repeats messages.
    ///
    /// - Throws: `ChatError.notAMember`, `.blocked`, `.personNotFound` when the other member has withdrawn.
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

    /// Takes the next number for a change to a message. A block forbids edits, but never deletions.
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
