import Apps
import Contracts
import Hummingbird
import ServiceKit

/// With Suhyeon's profile of the signed-in user (contract 1.2, calls 25, 31 to 34), and the socket ticket (call 7).
struct WithSuhyeonProfileRoutes {
    let companions: WithSuhyeonAccounts
    let tickets: Tickets

    struct ProfileResponse: Encodable {
        var nickname: String
        var profileImage: String
    }

    struct RegionBody: Codable {
        var region: String
    }

    struct PhoneRequest: Decodable {
        var phoneNumber: String?
    }

    struct PhoneResponse: Encodable {
        var phoneNumber: String
    }

    struct UserIDResponse: Encodable {
        var userId: TicketID
    }

    /// `GET /api/v1/mypage` → 200.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let account = try await companions.companion(context.account).account
        return try .withSuhyeon(
            ProfileResponse(nickname: account.nickname, profileImage: account.image ?? WithSuhyeonAccount.images[0])
        )
    }

    /// `GET /api/v1/mypage/preference` → 200.
    func region(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let companion = try await companions.companion(context.account)
        return try .withSuhyeon(RegionBody(region: companion.region.name))
    }

    /// `PATCH /api/v1/mypage/preference` → 200.
    func setRegion(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(RegionBody.self, context)
        try await companions.setRegion(body.region, of: context.account, origin: Origin(request, context))
        return try .withSuhyeon()
    }

    /// `GET /api/v1/mypage/phone-number` → 200.
    func phone(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let account = try await companions.companion(context.account).account
        return try .withSuhyeon(PhoneResponse(phoneNumber: account.phone ?? ""))
    }

    /// `PATCH /api/v1/mypage/phone-number` → 200, for a recently verified number.
    func setPhone(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(PhoneRequest.self, context)
        guard let phone = body.phoneNumber.flatMap(PhoneNumber.init) else {
            throw WithSuhyeonError.malformed([PhoneNumber.rule])
        }
        try await companions.setPhone(phone, of: context.account, origin: Origin(request, context))
        return try .withSuhyeon()
    }

    /// `GET /api/v1/user-id` → 200 with a socket ticket of the session; despite its name it is not a user id.
    func ticket(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .withSuhyeon(UserIDResponse(userId: await tickets.ticket(for: context.session)))
    }
}

/// Internal lookups for With Suhyeon's other services (`AuthAPI`).
struct WithSuhyeonLookupRoutes {
    let tickets: Tickets
    let blocked: BlockedNumbers

    /// `GET /internal/tickets/{ticket}` → 200; 404 for an unknown ticket.
    func holder(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let ticket: TicketID = context.id("ticket"), let holder = try await tickets.holder(of: ticket) else {
            throw Problem(.notFound, message: "There is no such ticket.")
        }
        return try .json(AuthAPI.Ticket(account: holder.account, session: holder.session))
    }

    /// `GET /internal/accounts/{account}/blockers` → 200.
    func blockers(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let account = context.id("account", as: AccountID.self) else {
            throw Problem(.badParameter, message: "account must be an id.")
        }
        return try .json(AuthAPI.Blockers(accounts: await blocked.blockers(of: account)))
    }
}
