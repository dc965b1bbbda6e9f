/// Errors of chat operations.
enum ChatError: Error, Sendable, Equatable {
    case roomNotFound
    /// The account is not a member of the room.
    case notAMember
    case messageNotFound
    /// The message was sent by the other member.
    case notYours
    /// The other user is unknown or has withdrawn.
    case personNotFound
    /// One of the two members has blocked the other.
    case blocked
    /// A validation error: a sentence that names the field.
    case rule(String)
}

/// Another transaction has locked the room.
struct RoomLocked: Error {}
