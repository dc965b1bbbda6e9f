import AppWire
import Contracts
import FoundationEssentials
import People

/// A room as With Suhyeon reads it, in its list and from its socket (contract 1.3, ChatRoom). What the app does not know stands
/// at the end.
struct CompanionRoomBody: Encodable {
    var ownerChatRoomId: String
    var peerChatRoomId: String
    var postId: Int64
    var chatOwnerId: Int64
    var chatPeerId: Int64
    var chatPeerNickname: String
    var chatPeerProfileImage: String
    /// The beginning of it.
    var lastChatMessage: String
    var lastChatAt: LocalInstant
    var unReadCount: Int
    var postTitle: String
    var postPlace: String
    /// Won, in digits.
    var postCost: String
    /// The number of the last thing that happened, and up to which the viewer and the other have read.
    var lastSequence: Int64
    var readThrough: Int64
    var peerReadThrough: Int64

    /// A list shows one line of a message; a thousand whole ones would be too much for a frame.
    private static let previewLimit = 500

    init(_ view: RoomView) {
        ownerChatRoomId = view.ownCopy
        peerChatRoomId = view.peerCopy
        postId = view.post?.id ?? 0
        chatOwnerId = view.own.account
        chatPeerId = view.peer.account
        chatPeerNickname = view.peer.shownName
        // One of the images that the app has, should auth have told none.
        chatPeerProfileImage = view.peer.image ?? "img_purple_suma"
        let text = (view.lastMessage?.content ?? "").unicodeScalars.prefix(Self.previewLimit)
        lastChatMessage = String(String.UnicodeScalarView(text))
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

/// The list of rooms, as an answer and as the frame CHAT_ROOMS (contract 2.3).
struct CompanionRoomsBody: Encodable {
    var chatRooms: [CompanionRoomBody]

    init(_ views: [RoomView]) {
        chatRooms = views.map(CompanionRoomBody.init)
    }
}

/// A message as With Suhyeon reads it (contract 1.3, ChatMessage). What the app does not know stands at the end.
struct CompanionMessageBody: Encodable {
    /// `SEND` for the viewer's own, `RECEIVE` for the other's.
    var type: String
    var content: String
    var timestamp: LocalInstant
    /// Always of one's own, too.
    var isRead: Bool
    var messageId: String
    /// The message's number in the room, from which a new client reads on.
    var sequence: Int64
    /// Left out for one that was never changed.
    var editedAt: LocalInstant?
    /// What the sender's phone calls it; left out for the other's, and where it has no name.
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

/// One step of a room's history, for clients that read on from a number.
struct CompanionEventBody: Encodable {
    var sequence: Int64
    /// `sent`, `edited` or `deleted`.
    var type: String
    var at: LocalInstant
    /// As it is now, without text once it was taken back.
    var message: CompanionMessageBody

    init(_ event: RoomEvent, in view: RoomView) {
        sequence = event.sequence
        type = event.kind.rawValue
        at = LocalInstant(event.at)
        message = CompanionMessageBody(event.message, in: view)
    }
}
