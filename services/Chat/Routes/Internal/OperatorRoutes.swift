import Contracts
import Hummingbird
import ServiceKit

/// The console's reads of rooms.
struct OperatorRoutes {
    let rooms: RoomLookup

    /// `GET /internal/operators/rooms` → 200, maybe with none.
    func list(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try .json(OperatorsAPI.Rooms(rooms: await rooms.recent()))
    }

    /// `GET /internal/operators/rooms/ROOM` → 200 without texts; 404 if there is no such room.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try .json(await rooms.room(context.parameters.get("room") ?? ""))
    }
}
