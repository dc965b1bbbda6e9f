import Apps
import Contracts
import Files
import Hummingbird
import ServiceKit

/// Seoul Culture's profiles (contract 1.2; 2, calls 5 to 8): the profile fields are of this service, followers and
/// posts of the community service.
struct CultureProfileRoutes {
    let profiles: Profiles
    let people: UserDirectory
    let images: ProfileImages
    let graph: SocialGraphClient

    /// Fields without a value are omitted.
    struct UserResponse: Encodable {
        var userID: PublicID
        var nick: String
        var profileImage: String?

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
            case nick, profileImage
        }

        init(_ account: Account) {
            self.userID = account.publicID
            self.nick = account.nickname
            self.profileImage = account.image
        }
    }

    struct ListResponse: Encodable {
        var data: [UserResponse]
    }

    /// Fields without a value are omitted, except for the three lists. The e-mail address is sent only to the owner.
    struct ProfileResponse: Encodable {
        var userID: PublicID
        var email: String?
        var nick: String
        var phoneNum: String?
        var birthDay: String?
        var profileImage: String?
        var followers: [UserResponse]
        var following: [UserResponse]
        var posts: [PublicID]

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
            case email, nick, phoneNum, birthDay, profileImage, followers, following, posts
        }
    }

    /// `GET /v1/users/me/profile` → 200.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(await own(profiles.profile(of: context.account)))
    }

    /// `PUT /v1/users/me/profile`, a multipart form → 200 with the changed profile; 402 for whitespace in the name, 409
    /// when it is taken. A new picture has a new path.
    func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let form = try await UploadForm.profile(
            request,
            picture: "profile",
            texts: ["nick", "phoneNum", "birthDay"],
            app: context.app,
            into: images
        )
        return try .json(await own(change(form, context, origin: Origin(request, context))))
    }

    private func change(
        _ form: UploadForm,
        _ context: SignedInContext,
        origin: Origin
    ) async throws -> Profiles.Profile {
        var edit: ProfileEdit
        do {
            guard form.image != nil || !form.texts.isEmpty else {
                throw Problem(.malformed, message: "One of nick, phoneNum, birthDay and profile is required.")
            }
            edit = try ProfileEdit.culture(
                nickname: form.texts["nick"],
                phone: form.texts["phoneNum"],
                birthDay: form.texts["birthDay"]
            )
        } catch {
            images.uploads.discard(form.files)
            throw error
        }
        if let image = form.image {
            edit.image = try await images.keep(image, by: context.account, app: context.app)
        }
        return try await profiles.update(context.account, app: context.app, edit, origin: origin)
    }

    /// `GET /v1/users/{user_id}/profile` → 200; 410 for an unknown user.
    func showOther(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try PublicID(parsing: context.parameters.require("userId"), else: AccountError.personUnknown)
        let person = try await people.person(id, app: context.app)
        return try .json(await response(Profiles.Profile(account: person, tags: []), isOwn: false))
    }

    /// `GET /v1/users/search?nick=` → 200 with at most 50 users; `nick` may be empty.
    func search(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let nick = request.query("nick") else { throw Problem(.badParameter, message: "nick is required.") }
        let found = try await people.search(nick, app: context.app)
        return try .json(ListResponse(data: found.map(UserResponse.init)))
    }

    private func own(_ profile: Profiles.Profile) async throws -> ProfileResponse {
        try await response(profile, isOwn: true)
    }

    private func response(_ profile: Profiles.Profile, isOwn: Bool) async throws -> ProfileResponse {
        let account = profile.account
        let circle = try await graph.circle(of: account.id)
        async let followers = people.people(circle.followers, app: account.app)
        async let following = people.people(circle.following, app: account.app)
        return try ProfileResponse(
            userID: account.publicID,
            email: isOwn ? account.email?.text : nil,
            nick: account.nickname,
            phoneNum: isOwn ? account.phone : nil,
            birthDay: isOwn ? profile.birthDay : nil,
            profileImage: account.image,
            followers: await followers.map(UserResponse.init),
            following: await following.map(UserResponse.init),
            posts: circle.posts
        )
    }
}
