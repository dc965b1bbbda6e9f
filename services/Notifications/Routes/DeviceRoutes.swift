import Contracts
import Hummingbird
import ServiceKit

/// Registration of push tokens. An empty token removes the session's registration.
struct DeviceRoutes {
    let devices: Devices

    struct SeatCatcherRequest: Decodable { var token: String }
    struct MOUPRequest: Decodable { var fcmToken: String }
    struct SeSACRequest: Decodable { var deviceToken: String }
    struct WithSuhyeonRequest: Decodable { var token: String }

    struct MOUPResponse: Encodable { var userId: AccountID }
    struct EmptyResponse: Encodable {}

    /// `POST /fcm/token` `{token}` → 200 with a text (SeatCatcher contract 1.5, call 32).
    func seatcatcher(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await register(request.json(SeatCatcherRequest.self, context).token, context)
        return .text("The token is kept.")
    }

    /// `PATCH /users/fcm-token` `{fcmToken}` → 200 with the user's ID (MOUP contract 1.4, call 6).
    func moup(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await register(request.json(MOUPRequest.self, context).fcmToken, context)
        return try .json(MOUPResponse(userId: context.account))
    }

    /// `PUT /v1/users/deviceToken` `{deviceToken}` → 200 `{}` (Anlaka contract 2.1, call 12; not in Seoul Culture's
    /// contract).
    func sesac(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await register(request.json(SeSACRequest.self, context).deviceToken, context)
        return try .json(EmptyResponse())
    }

    /// `PUT /api/v1/fcm/token` `{token}` → 200.
    func withSuhyeon(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await register(request.json(WithSuhyeonRequest.self, context).token, context)
        return try .withSuhyeon()
    }

    /// `POST /api/vi/fcm/token` → 200. Has no access token, so the owner is unknown and the push token is not stored
    /// (With Suhyeon contract 4, D26).
    func anonymous(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try .withSuhyeon()
    }

    private func register(_ token: String, _ context: SignedInContext) async throws {
        try await devices.register(token, of: context.account, session: context.session, in: context.app)
    }
}
