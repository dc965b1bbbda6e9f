import Hummingbird
import ServiceHost

/// Anlaka's own profile (contract 2.1, call 7).
struct AnlakaProfileRoutes {
    let profiles: Profiles

    /// What has no value is left out.
    struct ProfileResponse: Encodable {
        var userID: String
        var email: String
        var nick: String
        var profileImage: String?
        var phoneNum: String?
        var introduction: String?

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
            case email, nick, profileImage, phoneNum, introduction
        }
    }

    /// `GET /v1/users/me/profile` → 200.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let account = try await profiles.profile(of: context.account).account
        return try .json(
            ProfileResponse(
                userID: account.publicID,
                email: account.email?.text ?? "",
                nick: account.nickname,
                profileImage: account.image,
                phoneNum: account.phone,
                introduction: account.introduction
            )
        )
    }
}
