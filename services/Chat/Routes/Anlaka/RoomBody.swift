import Apps
import Contracts
import Files
import FoundationEssentials
import Profiles

/// A message in Anlaka's format, for lists and the socket (contract 1.7, Chat), with additional fields for new clients.
struct ChatBody: Encodable {
    var chatID: String
    var roomID: PublicID
    var content: String
    var createdAt: SeSACInstant
    var updatedAt: SeSACInstant
    var sender: UserInfo
    /// Paths; always present.
    var files: [String]
    /// Number in the room, from which a new client resumes.
    var sequence: Int64
    /// Identifier chosen by the client; absent when it has set none.
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

/// A room in Anlaka's format (contract 1.7, ChatRoom).
struct RoomBody: Encodable {
    var roomID: PublicID
    var createdAt: SeSACInstant
    var updatedAt: SeSACInstant
    var participants: [UserInfo]
    /// Absent while the room has no message.
    var lastChat: ChatBody?
    var unreadCount: Int
    /// Numbers of the last event and of the last events that the viewer and the other member have read.
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

/// One event of a room, for clients that resume from a number.
struct EventBody: Encodable {
    var sequence: Int64
    /// `sent`, `edited` or `deleted`.
    var type: String
    var at: SeSACInstant
    /// The current state, without text and files after deletion.
    var message: ChatBody

    init(_ event: RoomEvent, in room: Room, by sender: Person) {
        sequence = event.sequence
        type = event.kind.rawValue
        at = SeSACInstant(event.at)
        message = ChatBody(event.message, in: room, by: sender)
    }
}
