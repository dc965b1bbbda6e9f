import Apps
import Contracts
import FoundationEssentials
import Profiles

/// A room in With Suhyeon's format, for the list and the socket (contract 1.3, ChatRoom). The last three fields are for
/// new clients.
struct WithSuhyeonRoomBody: Encodable {
    var ownerChatRoomId: PublicID
    var peerChatRoomId: PublicID
    var postId: CompanionPostID
    var chatOwnerId: AccountID
    var chatPeerId: AccountID
    var chatPeerNickname: String
    var chatPeerProfileImage: String
    /// Truncated.
    var lastChatMessage: String
    var lastChatAt: LocalInstant
    var unReadCount: Int
    var postTitle: String
    var postPlace: String
    /// Won, as decimal digits.
    var postCost: String
    /// Numbers of the last event and of the last events that the viewer and the other member have read.
    var lastSequence: Int64
    var readThrough: Int64
    var peerReadThrough: Int64

    init(_ view: RoomView) {
        ownerChatRoomId = view.ownCopy
        peerChatRoomId = view.peerCopy
        postId = view.post?.id ?? CompanionPostID(rawValue: 0)
        chatOwnerId = view.own.account
        chatPeerId = view.peer.account
        chatPeerNickname = view.peer.shownName
        // A bundled image of the app, for a user without one.
        chatPeerProfileImage = view.peer.image ?? "img_purple_suma"
        lastChatMessage = view.lastMessage?.content ?? ""
        lastChatAt = LocalInstant(view.updatedAt)
        unReadCount = view.unreadCount
        postTitle = view.post?.title ?? ""
        postPlace = view.post.flatMap { Region(key: $0.region) }?.name ?? ""
        postCost = String(view.post?.price ?? 0)
        lastSequence = view.lastSequence
        readThrough = view.readThrough
        peerReadThrough = view.peerReadThrough
    }
}

/// The list of rooms, as a response and as the frame CHAT_ROOMS (contract 2.3).
struct WithSuhyeonRoomsBody: Encodable {
    var chatRooms: [WithSuhyeonRoomBody]
}

/// A message in With Suhyeon's format (contract 1.3, ChatMessage). The last four fields are for new clients.
struct WithSuhyeonMessageBody: Encodable {
    /// `SEND` for the viewer's messages, `RECEIVE` for the other member's.
    var type: String
    var content: String
    var timestamp: LocalInstant
    /// Always true for the viewer's own messages.
    var isRead: Bool
    var messageId: String
    /// Number in the room, from which a new client resumes.
    var sequence: Int64
    /// Absent when the message was never edited.
    var editedAt: LocalInstant?
    /// Identifier chosen by the client; absent for the other member's messages and when there is none.
    var clientId: String?

    init(_ message: Message, in view: RoomView) {
        let isOwn = message.sender == view.own.account
        type = isOwn ? "SEND" : "RECEIVE"
        content = message.content
        timestamp = LocalInstant(message.createdAt)
        isRead = isOwn || message.sequence <= view.readThrough
        messageId = MessageID.text(message.sequence, in: view.room.publicID)
        sequence = message.sequence
        editedAt = message.editedAt.map(LocalInstant.init)
        clientId = isOwn ? message.clientID : nil
    }
}

/// One event of a room, for clients that resume from a number.
struct WithSuhyeonEventBody: Encodable {
    var sequence: Int64
    /// `sent`, `edited` or `deleted`.
    var type: String
    var at: LocalInstant
    /// The current state, without text after deletion.
    var message: WithSuhyeonMessageBody

    init(_ event: RoomEvent, in view: RoomView) {
        sequence = event.sequence
        type = event.kind.rawValue
        at = LocalInstant(event.at)
        message = WithSuhyeonMessageBody(event.message, in: view)
    }
}
