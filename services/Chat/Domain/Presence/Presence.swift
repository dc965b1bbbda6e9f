import Contracts
import FoundationEssentials

/// A socket that shows a room.
struct Presence: Sendable, Equatable {
    /// The socket's ID.
    let id: UUID
    let account: AccountID
    /// 0 when the socket shows no room.
    let room: RoomID
    /// New messages count as read at once.
    let isReading: Bool
}
