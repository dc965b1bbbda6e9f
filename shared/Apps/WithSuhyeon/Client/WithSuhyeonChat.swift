import Apps

/// One side of a chat about a companion post (With Suhyeon contract 1.2, calls 21 to 24, and 2).
package struct WithSuhyeonChat: Sendable {
    package let client: WithSuhyeonClient
    package let post: Int64

    package init(_ client: WithSuhyeonClient, about post: Int64) {
        self.client = client
        self.post = post
    }

    /// The ids of rooms and participants in the post's detail.
    package func ids() async throws -> JSON {
        guard let ids = try await client.send(\.getPost, post).result()["chatRoomInfoPost"] else {
            throw ClientError("the post has no ids of rooms")
        }
        return ids
    }

    /// The frame that creates the room with its first message.
    ///
    /// - Parameter ids: From `ids()`.
    package func opening(_ text: String, _ ids: JSON) throws -> JSON {
        [
            "type": "CREATE", "ownerChatRoomId": "NO", "peerChatRoomId": "NO", "postId": .integer(post),
            "senderId": .integer(try ids.number("ownerId")), "receiverId": .integer(try ids.number("writerId")),
            "content": .string(text),
        ]
    }

    /// The frame of a message.
    ///
    /// - Parameters:
    ///   - room: An entry of the room list.
    ///   - peerCopy: The room's id at the other side; the room's own `peerChatRoomId` by default.
    package func message(_ text: String, in room: JSON, peerCopy: String? = nil) throws -> JSON {
        [
            "type": "MESSAGE", "ownerChatRoomId": .string(try room.text("ownerChatRoomId")),
            "peerChatRoomId": .string(try peerCopy ?? room.text("peerChatRoomId")), "postId": .integer(post),
            "senderId": .integer(try room.number("chatOwnerId")),
            "receiverId": .integer(try room.number("chatPeerId")), "content": .string(text),
        ]
    }

    package func rooms() async throws -> [JSON] {
        try await client.send(\.listChatRooms).result()["chatRooms"]?.elements ?? []
    }

    /// The messages of a room, in order.
    package func log(of room: JSON) async throws -> [JSON] {
        let page = try await client.send(\.listMessages, room.text("ownerChatRoomId")).result()
        return page["chatMessages"]?.elements ?? []
    }

    package func enter(_ room: JSON) async throws {
        try await client.send(\.joinChatRoom, room.text("ownerChatRoomId")).result()
    }

    package func exit(_ room: JSON) async throws {
        try await client.send(\.exitChatRoom, room.text("ownerChatRoomId")).result()
    }
}
