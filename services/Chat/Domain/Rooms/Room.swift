import Contracts
import FoundationEssentials
import Profiles

extension RoomID {
    /// The account is in no room.
    static let noRoom = RoomID(rawValue: 0)
    /// The room has not been stored yet.
    static let unsaved = RoomID(rawValue: 0)
}

/// A chat room of two members.
struct Room: Sendable, Equatable {
    let id: RoomID
    let publicID: PublicID
    let app: App
    /// Anlaka: the smaller account number. With Suhyeon: the inquirer.
    let first: AccountID
    /// Anlaka: the greater account number. With Suhyeon: the author of the post.
    let second: AccountID

    func has(_ account: AccountID) -> Bool { account == first || account == second }

    /// The other member.
    func peer(of account: AccountID) -> AccountID { account == first ? second : first }

    var accounts: [AccountID] { [first, second] }
}

/// The companion post of a With Suhyeon room, as it was when the room was created.
struct RoomPost: Sendable, Equatable {
    let id: CompanionPostID
    let title: String
    /// Key of a `Region`.
    let region: String
    /// Won.
    let price: Int
}

/// A room from the view of one member.
struct RoomView: Sendable, Equatable {
    let room: Room
    let post: RoomPost?
    let createdAt: Date
    /// Time of the last message.
    let updatedAt: Date
    /// Number of the last event.
    let lastSequence: Int64
    /// With Suhyeon: each member's own ID of the room.
    let ownCopy: PublicID
    let peerCopy: PublicID
    let own: Person
    let peer: Person
    /// The viewer, and the other member, have read up to these numbers.
    let readThrough: Int64
    let peerReadThrough: Int64
    /// Unread messages of the other member, at most `unreadLimit`.
    let unreadCount: Int
    /// The last message that was not deleted, with the first `previewLimit` Unicode scalars of its text.
    let lastMessage: Message?

    static let unreadLimit = 1000
    /// The clients show one line of a message, and 1,000 whole messages would make a list too large.
    static let previewLimit = 500
}
