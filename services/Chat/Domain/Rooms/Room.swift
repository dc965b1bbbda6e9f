import Contracts
import FoundationEssentials
import People

/// Where two people talk.
struct Room: Sendable, Equatable {
    let id: Int64
    /// 24 hexadecimal digits.
    let publicID: String
    let app: App
    /// Anlaka: the smaller number. With Suhyeon: who asks.
    let first: Int64
    /// Anlaka: the greater number. With Suhyeon: whose post it is.
    let second: Int64

    func has(_ account: Int64) -> Bool { account == first || account == second }

    /// The other of the two.
    func peer(of account: Int64) -> Int64 { account == first ? second : first }

    var accounts: [Int64] { [first, second] }
}

/// The companion post that a room of With Suhyeon is about, as it was when they began to talk.
struct RoomPost: Sendable, Equatable {
    let id: Int64
    let title: String
    /// The key of its `Region`.
    let region: String
    /// Won.
    let price: Int
}

/// A room as one of the two sees it.
struct RoomView: Sendable {
    let room: Room
    let post: RoomPost?
    let createdAt: Date
    /// When the last message was written.
    let updatedAt: Date
    /// The number of the last thing that happened.
    let lastSequence: Int64
    /// How With Suhyeon calls the two sides of the room.
    let ownCopy: String
    let peerCopy: String
    let own: Person
    let peer: Person
    /// The viewer, and the other, have seen everything up to these numbers.
    let readThrough: Int64
    let peerReadThrough: Int64
    /// Messages of the other that the viewer has not seen, `unreadLimit` at most.
    let unreadCount: Int
    /// The last one that is still there.
    let lastMessage: Message?

    static let unreadLimit = 1000
}
