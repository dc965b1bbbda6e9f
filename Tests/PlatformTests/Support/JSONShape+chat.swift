/// The bodies of chats that Anlaka decodes (contract 1.7), with the members for newer clients.
extension JSONShape.Anlaka {
    static let chat = JSONShape.object(
        [
            "chat_id": .id, "room_id": .id, "content": .text, "createdAt": .instant, "updatedAt": .instant,
            "sender": user, "files": .list(.text), "sequence": .integer,
        ],
        optional: ["client_id": .text]
    )
    static let chats = JSONShape.object(["data": .list(chat)])
    static let room = JSONShape.object(
        [
            "room_id": .id, "createdAt": .instant, "updatedAt": .instant, "participants": .list(user),
            "unreadCount": .integer, "last_sequence": .integer, "read_through": .integer, "peer_read_through": .integer,
        ],
        optional: ["lastChat": chat]
    )
    static let rooms = JSONShape.object(["data": .list(room)])
    static let events = JSONShape.object(
        [
            "data": .list(.object(["sequence": .integer, "type": .text, "at": .instant, "message": chat])),
            "last_sequence": .integer,
        ]
    )
}
