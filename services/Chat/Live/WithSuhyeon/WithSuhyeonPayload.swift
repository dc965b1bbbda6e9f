import Apps
import Contracts
import FoundationEssentials
import NIOCore
import Values

/// The frames sent to With Suhyeon's app (contract 2.3): three shapes, which the app distinguishes by trial decoding.
enum WithSuhyeonPayload {
    /// CHAT_ROOM_CREATED.
    static func created(_ view: RoomView) -> ByteBuffer {
        ByteBuffer(
            string: JSONText.object([
                ("type", "CHAT_ROOM_CREATED"), ("ownerChatRoomId", view.ownCopy.rawValue),
                ("peerChatRoomId", view.peerCopy.rawValue),
            ])
        )
    }

    /// ROOM_MESSAGE. `messageId`, `sequence` and `chatRoomId` are for new clients.
    static func message(_ message: Message, in view: RoomView) -> ByteBuffer {
        let id = MessageID.text(message.sequence, in: view.room.publicID)
        return ByteBuffer(
            string: """
                {"content":\(JSONText.string(message.content)),"timestamp":"\(LocalInstant(message.createdAt).text)",\
                "messageId":"\(id)","sequence":\(message.sequence),"chatRoomId":"\(view.ownCopy.rawValue)"}
                """
        )
    }

    /// CHAT_ROOMS. Encoded off the event loop, since a list may be long.
    @concurrent static func rooms(_ views: [RoomView]) async throws -> ByteBuffer {
        try views.map(WithSuhyeonRoomBody.init).encoded(keeping: .first, size: \.readableBytes) {
            ByteBuffer(bytes: try JSONEncoder().encode(WithSuhyeonRoomsBody(chatRooms: $0)))
        }
    }
}
