import FoundationEssentials

/// A socket that shows a room.
struct Presence: Sendable, Equatable {
    /// The socket's ID.
    let id: UUID
    let account: Int64
    /// 0 when the socket shows no room.
    let room: Int64
    /// New messages count as read at once.
    let isReading: Bool
}
