import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Internal lookup of user profiles of all apps.
struct ProfileLookupRoutes {
    let people: UserDirectory

    /// `GET /internal/profiles/{account}` → 200; 404 for an unknown or withdrawn account.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let account = context.id("account", as: AccountID.self) else {
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

    /// `GET /internal/people/{publicID}?app=` → 200 with an `AuthAPI.AccountLookup`; 404 for an unknown or withdrawn
    /// account.
    func find(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let app = request.query("app").flatMap(App.init(rawValue:)) else {
            throw Problem(.badParameter, message: "app must be one.")
        }
        let id = try PublicID(parsing: context.parameters.require("publicId"), else: AccountError.personUnknown)
        let person = try await people.person(id, app: app)
        return try .json(AuthAPI.AccountLookup(account: person.id))
    }
}
