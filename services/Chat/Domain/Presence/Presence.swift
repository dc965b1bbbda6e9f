import FoundationEssentials

/// A socket that looks into a room.
struct Presence: Sendable, Equatable {
    /// The socket's.
    let id: UUID
    let account: Int64
    /// 0 for one that looks into none.
    let room: Int64
    /// What comes is read at once.
    let isReading: Bool
}
