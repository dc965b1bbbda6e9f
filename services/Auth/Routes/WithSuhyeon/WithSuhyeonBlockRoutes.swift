import Hummingbird
import ServiceKit

/// With Suhyeon's blocked numbers (contract 1.2, calls 26 to 28).
struct WithSuhyeonBlockRoutes {
    let blocked: BlockedNumbers
    let companions: WithSuhyeonAccounts

    struct ListResponse: Encodable {
        var nickname: String
        var phoneNumbers: [String]
    }

    struct BlockRequest: Decodable {
        var phoneNumber: String?
    }

    /// `GET /api/v1/mypage/blocks` → 200, newest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let account = try await companions.companion(context.account).account
        let numbers = try await blocked.list(of: context.account)
        return try .withSuhyeon(ListResponse(nickname: account.nickname, phoneNumbers: numbers))
    }

    /// `POST /api/v1/mypage/blocks` → 200.
    func add(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(BlockRequest.self, context)
        guard let phone = body.phoneNumber.flatMap(PhoneNumber.init) else {
            throw WithSuhyeonError.malformed([PhoneNumber.rule])
        }
        try await blocked.add(phone, by: context.account, origin: Origin(request, context))
        return try .withSuhyeon()
    }

    /// `DELETE /api/v1/mypage/blocks?number=` → 204.
    func remove(_ request: Request, _ context: SignedInContext) async throws -> Response {
        guard let phone = request.query("number").flatMap(PhoneNumber.init) else { throw WithSuhyeonError.notANumber }
        try await blocked.remove(phone, by: context.account, origin: Origin(request, context))
        return .empty(.noContent)
    }
}
