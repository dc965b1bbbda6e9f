import AppWire
import FoundationEssentials
import NIOCore

/// What With Suhyeon's app is sent (contract 2.3): three shapes, which it tells apart by trying.
enum CompanionPayload {
    /// CHAT_ROOM_CREATED.
    static func created(_ view: RoomView) -> ByteBuffer {
        ByteBuffer(
            string: JSONText.object([
                ("type", "CHAT_ROOM_CREATED"), ("ownerChatRoomId", view.ownCopy), ("peerChatRoomId", view.peerCopy),
            ])
        )
    }

    /// ROOM_MESSAGE. What the app does not know stands at the end.
    static func message(_ message: Message, in view: RoomView) -> ByteBuffer {
        let id = MessageID.text(message.sequence, in: view.room.publicID)
        return ByteBuffer(
            string: """
                {"content":\(JSONText.string(message.content)),"timestamp":"\(LocalInstant(message.createdAt).text)",\
                "messageId":"\(id)","sequence":\(message.sequence),"chatRoomId":"\(view.ownCopy)"}
                """
        )
    }

    /// CHAT_ROOMS. Away from the event loop: a list may be long.
    @concurrent static func rooms(_ views: [RoomView]) async throws -> ByteBuffer {
        ByteBuffer(bytes: try JSONEncoder().encode(CompanionRoomsBody(views)))
    }
}
