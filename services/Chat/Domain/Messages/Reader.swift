import Contracts

/// A member who reads a room.
struct Reader: Sendable, Hashable {
    let room: RoomID
    let account: AccountID
}
