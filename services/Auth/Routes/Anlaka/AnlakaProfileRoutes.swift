import Apps
import Contracts
import Files
import Hummingbird
import ServiceKit

/// Anlaka's profile of the signed-in user (contract 2.1, calls 7 to 9).
struct AnlakaProfileRoutes {
    let profiles: Profiles
    let images: ProfileImages

    /// An absent or null field is unchanged; an empty text clears it, except for the name.
    struct UpdateRequest: Decodable {
        var nick: String?
        var introduction: String?
        var phoneNum: String?
        var profileImage: String?
    }

    /// Fields without a value are omitted.
    struct ProfileResponse: Encodable {
        var userID: PublicID
        var email: String
        var nick: String
        var profileImage: String?
        var phoneNum: String?
        var introduction: String?

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
            case email, nick, profileImage, phoneNum, introduction
        }

        init(_ account: Account) {
            self.userID = account.publicID
            self.email = account.email?.text ?? ""
            self.nick = account.nickname
            self.profileImage = account.image
            self.phoneNum = account.phone
            self.introduction = account.introduction
        }
    }

    struct ImageResponse: Encodable {
        var profileImage: String
    }

    /// `GET /v1/users/me/profile` → 200.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(ProfileResponse(await profiles.profile(of: context.account).account))
    }

    /// `PUT /v1/users/me/profile` → 200 with the changed profile.
    func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(UpdateRequest.self, context)
        let edit = try ProfileEdit.anlaka(
            nickname: body.nick,
            introduction: body.introduction,
            phone: body.phoneNum,
            image: body.profileImage
        )
        let origin = Origin(request, context)
        let profile = try await profiles.update(context.account, app: context.app, edit, origin: origin)
        return try .json(ProfileResponse(profile.account))
    }

    /// `POST /v1/users/profile/image` → 200 with a path, which a profile update may name within a day.
    func upload(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let form = try await UploadForm.profile(request, picture: "profile", app: context.app, into: images)
        guard let image = form.image else {
            throw Problem(.malformed, message: "A file part named profile is required.")
        }
        let path = try await images.keep(image, by: context.account, app: context.app)
        return try .json(ImageResponse(profileImage: path))
    }
}
