import Contracts
import Hummingbird
import ServiceKit

/// SeatCatcher's profile of the signed-in user (contract 1.6, calls 5 and 6).
struct SeatCatcherProfileRoutes {
    let profiles: Profiles
    let passengers: PassengerClient

    /// The client also sends `credit` with every change; it is ignored.
    struct UpdateRequest: Decodable {
        var name: String?
        var profileImageNum: String?
        var tags: [String]?
        var hasOnBoarded: Bool?
    }

    struct ProfileResponse: Encodable {
        var userId: AccountID
        var name: String
        var profileImageNum: String
        var credit: Int64
        var tags: [String]
        var hasOnBoarded: Bool
    }

    /// `GET /user/me` → 200.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        async let credit = passengers.credit(of: context.account)
        return try response(await profiles.profile(of: context.account), credit: await credit)
    }

    /// `PATCH /user/me` → 200 with the changed profile.
    func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(UpdateRequest.self, context)
        let change = try SeatCatcherProfile.Change(
            nickname: body.name,
            image: body.profileImageNum,
            tags: body.tags,
            onboarded: body.hasOnBoarded
        )
        let credit = try await passengers.credit(of: context.account)
        return try response(await profiles.update(context.account, change), credit: credit)
    }

    private func response(_ profile: Profiles.Profile, credit: Int64) throws -> Response {
        try .json(
            ProfileResponse(
                userId: profile.account.id,
                name: profile.account.nickname,
                profileImageNum: profile.account.image ?? SeatCatcherProfile.firstImage,
                credit: credit,
                tags: profile.tags,
                hasOnBoarded: profile.account.onboarded
            )
        )
    }
}
