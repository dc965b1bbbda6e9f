import Contracts
import Hummingbird
import ServiceHost

/// Rooms of With Suhyeon (contract 1.2, calls 21, 23 and 24). A room is called by the viewer's side of it. One that is gone, or
/// of others, answers 410 `CHAT_ROOM_001`: the app takes 404 for the end of its session.
struct CompanionRoomRoutes {
    let rooms: Rooms
    let joining: Joining

    /// `GET /api/v1/chatrooms` → 200 with the rooms in which something was written, the one with the newest message first, 1,000
    /// at most.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .withSuhyeon(CompanionRoomsBody(await rooms.list(of: context.account)))
    }

    /// `PATCH /api/v1/chatrooms/join/{chatRoomId}` → 200: everything is read, and what comes; any other room is left.
    func join(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await joining.join(context.parameters.require("chatRoomId"), by: context.account)
        return try .withSuhyeon()
    }

    /// `PATCH /api/v1/chatrooms/exit/{chatRoomId}` → 200, however often, also for a room that is gone: the app says so in passing.
    func exit(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await joining.exit(context.parameters.require("chatRoomId"), by: context.account)
        return try .withSuhyeon()
    }
}
