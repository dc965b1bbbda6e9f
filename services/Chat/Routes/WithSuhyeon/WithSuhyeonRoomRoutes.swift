import Contracts
import Hummingbird
import ServiceKit

/// Rooms of With Suhyeon (contract 1.2, calls 21, 23 and 24). The room ID is the viewer's own. A room that does not
/// exist, or of which the caller is no member, gives 410 `CHAT_ROOM_001`: on 404 the app ends its session.
struct WithSuhyeonRoomRoutes {
    let rooms: Rooms
    let membership: RoomMembership

    /// `GET /api/v1/chatrooms` → 200 with the rooms that have messages, the one with the newest message first, at most
    /// 1,000 and as many as fit into a response.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let views = try await rooms.list(of: context.account)
        return try views.map(WithSuhyeonRoomBody.init).response(keeping: .first) {
            try .withSuhyeon(WithSuhyeonRoomsBody(chatRooms: $0))
        }
    }

    /// `PATCH /api/v1/chatrooms/join/{chatRoomId}` → 200. Marks all messages as read, also later ones, and leaves any
    /// other room.
    func join(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await membership.join(context.roomID("chatRoomId"), by: context.account)
        return try .withSuhyeon()
    }

    /// `PATCH /api/v1/chatrooms/exit/{chatRoomId}` → 200; idempotent, also for an unknown or deleted room.
    func exit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        if let room = try PublicID(rawValue: context.parameters.require("chatRoomId")) {
            try await membership.exit(room, by: context.account)
        }
        return try .withSuhyeon()
    }
}
