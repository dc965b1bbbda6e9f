import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Anlaka's calls about other users (contract 1.7, 2.1, calls 10 and 11).
struct AnlakaPeopleRoutes {
    let people: UserDirectory

    /// Fields without a value are omitted.
    struct UserResponse: Encodable {
        var userID: PublicID
        var nick: String
        var profileImage: String?
        var introduction: String?

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
            case nick, profileImage, introduction
        }

        init(_ account: Account) {
            self.userID = account.publicID
            self.nick = account.nickname
            self.profileImage = account.image
            self.introduction = account.introduction
        }
    }

    struct ListResponse: Encodable {
        var data: [UserResponse]
    }

    /// `GET /v1/users/{user_id}/profile` → 200; 404 for an unknown user or an invalid id.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try PublicID(parsing: context.parameters.require("userId"), else: AccountError.personUnknown)
        return try .json(UserResponse(await people.person(id, app: context.app)))
    }

    /// `GET /v1/users/search?nick=` → 200 with at most 50 users.
    func search(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let nick = request.query("nick"), !nick.isEmpty else {
            throw Problem(.badParameter, message: "nick is required.")
        }
        let found = try await people.search(nick, app: context.app)
        return try .json(ListResponse(data: found.map(UserResponse.init)))
    }
}
