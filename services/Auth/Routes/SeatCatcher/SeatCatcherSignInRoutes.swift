import Apps
import Contracts
import Hummingbird
import ServiceKit

/// SeatCatcher's sign-in (contract 1.6, calls 1 and 2).
struct SeatCatcherSignInRoutes {
    let accounts: Accounts
    let kakao: KakaoClient
    let apple: AppleClient

    struct KakaoRequest: Decodable {
        var accessToken: String
        var fcmToken: String
    }

    struct AppleRequest: Decodable {
        var identityToken: String
        var fcmToken: String
        var authorizationCode: String
        /// The client does not pass this nonce to Apple, so its tokens contain none.
        var nonce: String?
    }

    /// `POST /user/authenticate/kakao` → 201 with both tokens.
    func kakao(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(KakaoRequest.self, context)
        guard !body.accessToken.isEmpty else { throw Problem(.invalid, message: "accessToken must not be empty.") }
        let identity = try await kakao.identity(accessToken: body.accessToken, app: .seatcatcher)
        return try await signIn(identity, Device(request, context, pushToken: body.fcmToken))
    }

    /// `POST /user/authenticate/apple` → 201 with both tokens.
    func apple(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(AppleRequest.self, context)
        guard !body.identityToken.isEmpty else { throw Problem(.invalid, message: "identityToken must not be empty.") }
        let identity = try await apple.identity(
            identityToken: body.identityToken,
            app: .seatcatcher,
            nonce: .sent(body.nonce),
            code: body.authorizationCode
        )
        return try await signIn(identity, Device(request, context, pushToken: body.fcmToken))
    }

    private func signIn(_ identity: SocialIdentity, _ device: Device) async throws -> Response {
        let new = NewAccount(app: .seatcatcher, nickname: Nickname.random(), image: SeatCatcherProfile.firstImage)
        let signedIn = try await accounts.signIn(as: identity, app: .seatcatcher, new: new, device: device)
        return try .json(signedIn.tokens, status: .created).naming(session: signedIn.session)
    }
}
