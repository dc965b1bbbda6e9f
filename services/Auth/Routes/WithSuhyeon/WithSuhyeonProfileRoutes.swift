import AppWire
import Contracts
import Hummingbird
import ServiceHost

/// With Suhyeon's page about oneself (contract 1.2, calls 25, 31 to 34), and the number for its socket (call 7).
struct WithSuhyeonProfileRoutes {
    let companions: Companions
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
        var userId: Int64
    }

    /// `GET /api/v1/mypage` → 200.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let account = try await companions.companion(context.account).account
        return try .withSuhyeon(
            ProfileResponse(nickname: account.nickname, profileImage: account.image ?? Companion.images[0])
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

    /// `PATCH /api/v1/mypage/phone-number` → 200, for a number that was just proved.
    func setPhone(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(PhoneRequest.self, context)
        guard let phone = body.phoneNumber.flatMap(PhoneNumber.init) else {
            throw CompanionError.malformed([PhoneNumber.rule])
        }
        try await companions.setPhone(phone, of: context.account, origin: Origin(request, context))
        return try .withSuhyeon()
    }

    /// `GET /api/v1/user-id` → 200. The number stands for the session; it is no user's id, whatever it is called.
    func ticket(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .withSuhyeon(UserIDResponse(userId: await tickets.ticket(for: context.session)))
    }
}

/// What With Suhyeon's other services ask (`AuthAPI`).
struct CompanionRoutes {
    let tickets: Tickets
    let blocked: BlockedNumbers

    /// `GET /internal/tickets/{ticket}` → 200; 404 for a number that is no ticket.
    func holder(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let ticket = context.id("ticket"), let holder = try await tickets.holder(of: ticket) else {
            throw Problem(.notFound, message: "There is no such ticket.")
        }
        return try .json(AuthAPI.Ticket(account: holder.account, session: holder.session))
    }

    /// `GET /internal/accounts/{account}/blockers` → 200.
    func blockers(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let account = context.id("account") else {
            throw Problem(.badParameter, message: "account must be an id.")
        }
        return try .json(AuthAPI.Blockers(accounts: await blocked.blockers(of: account)))
    }
}
