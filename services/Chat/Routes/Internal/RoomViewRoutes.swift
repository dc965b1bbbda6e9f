import Apps
import Contracts
import Hummingbird
import ServiceKit

/// With Suhyeon's rooms, for other services.
struct RoomViewRoutes {
    let rooms: WithSuhyeonRooms

    /// `GET /internal/rooms?post=&inquirer=` → 200 with each member's ID of the room of a companion post and an
    /// inquirer (`ChatAPI.Room`); 404 when there is none.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let post = try request.intQuery("post"), let inquirer = try request.intQuery("inquirer") else {
            throw Problem(.badParameter, message: "post and inquirer are required.")
        }
        let copies = try await rooms.copies(
            post: CompanionPostID(rawValue: post),
            inquirer: AccountID(rawValue: inquirer)
        )
        return try .json(ChatAPI.Room(inquirersCopy: copies.inquirers, authorsCopy: copies.authors))
    }
}
