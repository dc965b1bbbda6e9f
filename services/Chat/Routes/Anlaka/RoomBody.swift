import AppWire
import Contracts
import FoundationEssentials
import People
import Uploads

/// A message as Anlaka reads it, in lists and from its socket (contract 1.7, Chat). What the app does not know stands beside.
struct ChatBody: Encodable {
    var chatID: String
    var roomID: String
    var content: String
    var createdAt: SeSACInstant
    var updatedAt: SeSACInstant
    var sender: UserInfo
    /// Paths; never left out.
    var files: [String]
    /// The message's number in the room, from which a new client reads on.
    var sequence: Int64
    /// What the sender's phone calls it; left out where it has no name.
    var clientID: String?

    enum CodingKeys: String, CodingKey {
        case content, createdAt, updatedAt, sender, files, sequence
        case chatID = "chat_id"
        case roomID = "room_id"
        case clientID = "client_id"
    }

    init(_ message: Message, in room: Room, by sender: Person) {
        chatID = MessageID.text(message.sequence, in: room.publicID)
        roomID = room.publicID
        content = message.content
        createdAt = SeSACInstant(message.createdAt)
        updatedAt = SeSACInstant(message.editedAt ?? message.createdAt)
        self.sender = UserInfo(sender)
        files = message.files.map(Attachments.rules.path)
        sequence = message.sequence
        clientID = message.clientID
    }
}

/// A room as Anlaka reads it (contract 1.7, ChatRoom).
struct RoomBody: Encodable {
    var roomID: String
    var createdAt: SeSACInstant
    var updatedAt: SeSACInstant
    var participants: [UserInfo]
    /// Left out while nobody has written.
    var lastChat: ChatBody?
    var unreadCount: Int
    /// The number of the last thing that happened here, up to which the viewer has read, and up to which the other has.
    var lastSequence: Int64
    var readThrough: Int64
    var peerReadThrough: Int64

    enum CodingKeys: String, CodingKey {
        case createdAt, updatedAt, participants, lastChat, unreadCount
        case roomID = "room_id"
        case lastSequence = "last_sequence"
        case readThrough = "read_through"
        case peerReadThrough = "peer_read_through"
    }

    init(_ view: RoomView) {
        roomID = view.room.publicID
        createdAt = SeSACInstant(view.createdAt)
        updatedAt = SeSACInstant(view.updatedAt)
        participants = [UserInfo(view.own), UserInfo(view.peer)]
        lastChat = view.lastMessage.map { message in
            ChatBody(message, in: view.room, by: message.sender == view.own.account ? view.own : view.peer)
        }
        unreadCount = view.unreadCount
        lastSequence = view.lastSequence
        readThrough = view.readThrough
        peerReadThrough = view.peerReadThrough
    }
}

/// One step of a room's history, for clients that read on from a number.
struct EventBody: Encodable {
    var sequence: Int64
    /// `sent`, `edited` or `deleted`.
    var type: String
    var at: SeSACInstant
    /// As it is now, without text and files once it was taken back.
    var message: ChatBody

    init(_ event: RoomEvent, in room: Room, by sender: Person) {
        sequence = event.sequence
        type = event.kind.rawValue
        at = SeSACInstant(event.at)
        message = ChatBody(event.message, in: room, by: sender)
    }
}
