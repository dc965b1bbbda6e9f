import AppWire
import Contracts
import Hummingbird
import ServiceHost

/// Rooms of Anlaka (contract 2.4, calls 28 and 29; reading and clearing away are ours).
struct RoomRoutes {
    let rooms: Rooms

    struct OpenRequest: Decodable {
        var opponentID: String

        enum CodingKeys: String, CodingKey {
            case opponentID = "opponent_id"
        }
    }

    struct ReadRequest: Decodable {
        /// Everything, when it is left out.
        var sequence: Int64?
    }

    /// `POST /v1/chats` `{opponent_id}` → 200 with the room of the two, made if there is none; 404 for nobody, 400 for oneself,
    /// 403 where one of the two has blocked the other.
    func open(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let opponent = try await request.json(OpenRequest.self, context).opponentID
        return try .json(RoomBody(await rooms.open(with: opponent, by: context.account)))
    }

    /// `GET /v1/chats` → 200 `{data: […]}`, the one with the newest message first, 1,000 at most.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(DataBody(data: await rooms.list(of: context.account).map(RoomBody.init)))
    }

    /// `PUT /v1/chats/{room_id}/read` `{sequence?}` → 200, empty: read up to that number, or everything. The other is told.
    func read(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.jsonIfAny(ReadRequest.self, context)
        let room = try await rooms.room(context.parameters.require("roomId"), in: .anlaka, of: context.account)
        if let sequence = body?.sequence, sequence < 0 {
            throw Problem(.invalid, message: "sequence must not be negative.")
        }
        try await rooms.read(room, through: body?.sequence ?? .max, by: context.account)
        return .empty(.ok)
    }

    /// `DELETE /v1/chats/{room_id}` → 200, empty: the room, with what was said so far, is out of the caller's list until the
    /// next message.
    func clear(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let room = try await rooms.room(context.parameters.require("roomId"), in: .anlaka, of: context.account)
        try await rooms.clear(room, by: context.account)
        return .empty(.ok)
    }
}
