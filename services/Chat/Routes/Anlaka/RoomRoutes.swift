import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Rooms of Anlaka (contract 2.4, calls 28 and 29). Reading and clearing are not in the app's contract.
struct RoomRoutes {
    let rooms: Rooms

    struct OpenRequest: Decodable {
        var opponentID: String

        enum CodingKeys: String, CodingKey {
            case opponentID = "opponent_id"
        }
    }

    struct ReadRequest: Decodable {
        /// Everything when absent.
        var sequence: Int64?
    }

    /// `POST /v1/chats` `{opponent_id}` → 200 with the room, which is created if needed; 404 for an unknown user, 400
    /// for the caller's own ID, 403 when one of the two has blocked the other.
    func open(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(OpenRequest.self, context)
        let opponent = try PublicID(parsing: body.opponentID, else: ChatError.personNotFound)
        return try .json(RoomBody(await rooms.open(with: opponent, by: context.account)))
    }

    /// `GET /v1/chats` → 200 `{data: […]}`, the room with the newest message first, at most 1,000 and as
    /// many as fit into a response.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let views = try await rooms.list(of: context.account)
        return try views.map(RoomBody.init).response(keeping: .first) { try .json(DataBody(data: $0)) }
    }

    /// `PUT /v1/chats/{room_id}/read` `{sequence?}` → 200, empty. Marks messages as read up to that number, or all, and
    /// announces it to the other member.
    func read(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.jsonIfAny(ReadRequest.self, context)
        let room = try await rooms.room(context.roomID("roomId"), in: .anlaka, of: context.account)
        if let sequence = body?.sequence, sequence < 0 {
            throw Problem(.invalid, message: "sequence must not be negative.")
        }
        try await rooms.read(room, through: body?.sequence ?? .max, by: context.account)
        return .empty(.ok)
    }

    /// `DELETE /v1/chats/{room_id}` → 200, empty. Hides the room and its messages so far from the caller until the next
    /// message.
    func clear(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let room = try await rooms.room(context.roomID("roomId"), in: .anlaka, of: context.account)
        try await rooms.clear(room, by: context.account)
        return .empty(.ok)
    }
}
