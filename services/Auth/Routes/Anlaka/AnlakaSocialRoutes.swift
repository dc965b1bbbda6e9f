import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Anlaka's sign-in with Kakao and Apple (contract 2.1, calls 4 and 5).
struct AnlakaSocialRoutes {
    let accounts: Accounts
    let kakao: KakaoClient
    let apple: AppleClient

    struct KakaoRequest: Decodable {
        var oauthToken: String
        var deviceToken: String?
    }

    struct AppleRequest: Decodable {
        var idToken: String
        var deviceToken: String?
        var nick: String?
    }

    /// The app's own default when Apple sends no name.
    private static let placeholderNickname = "아무개"

    /// `POST /v1/users/login/kakao` → 200; 401 for a token that Kakao does not accept, 409 when the e-mail address
    /// belongs to an account with another sign-in method.
    func kakao(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(KakaoRequest.self, context)
        guard !body.oauthToken.isEmpty else { throw Problem(.malformed, message: "oauthToken must not be empty.") }
        let identity = try await kakao.identity(accessToken: body.oauthToken, app: .anlaka, .profile)
        let device = Device(request, context, pushToken: body.deviceToken)
        return try await signIn(identity, nick: identity.name, device)
    }

    /// `POST /v1/users/login/apple` → as for Kakao. `nick` is used at the first sign-in only; the app sends none later.
    func apple(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(AppleRequest.self, context)
        guard !body.idToken.isEmpty else { throw Problem(.malformed, message: "idToken must not be empty.") }
        // The app sends no nonce.
        let identity = try await apple.identity(identityToken: body.idToken, app: .anlaka, nonce: .notSent)
        let device = Device(request, context, pushToken: body.deviceToken)
        return try await signIn(identity, nick: body.nick, device)
    }

    private func signIn(_ identity: SocialIdentity, nick: String?, _ device: Device) async throws -> Response {
        let new = NewAccount(
            app: .anlaka,
            nickname: nick.flatMap(Nickname.likeAnlakas) ?? Self.placeholderNickname,
            email: identity.email
        )
        let signedIn = try await accounts.signIn(as: identity, app: .anlaka, new: new, device: device)
        return try .json(SeSACSignInResponse(signedIn)).naming(session: signedIn.session)
    }
}
