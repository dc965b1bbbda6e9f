import AppWire
import Contracts
import Hummingbird
import ServiceHost

/// Rooms of With Suhyeon for other services.
struct RoomViewRoutes {
    let rooms: CompanionRooms

    /// `GET /internal/rooms?post=&inquirer=` → 200 with the two sides of the room in which somebody asks about a companion post
    /// (`ChatAPI.Room`); 404 where there is none.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let post = try request.intQuery("post"), let inquirer = try request.intQuery("inquirer") else {
            throw Problem(.badParameter, message: "post and inquirer are required.")
        }
        let copies = try await rooms.copies(post: post, inquirer: inquirer)
        return try .json(ChatAPI.Room(inquirersCopy: copies.inquirers, authorsCopy: copies.authors))
    }
}
