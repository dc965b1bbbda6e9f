import AppWire
import Contracts
import Hummingbird
import ServiceHost

/// People of all apps for other services.
struct OthersProfileRoutes {
    let people: People

    /// `GET /internal/profiles/{account}` → 200; 404 for who is not there, or has left.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let account = context.id("account") else {
            throw Problem(.badParameter, message: "account must be an id.")
        }
        guard let person = try await people.person(account) else {
            throw Problem(.notFound, message: "There is no such account.")
        }
        return try .json(
            AuthAPI.Profile(
                app: person.app,
                publicID: person.publicID,
                nickname: person.nickname,
                image: person.image,
                introduction: person.introduction,
                region: try await people.region(of: person)
            )
        )
    }
}
