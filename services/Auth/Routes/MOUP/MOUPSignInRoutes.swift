import Apps
import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// MOUP's sign-in, registration and refresh (contract 1.4, calls 1 to 3).
struct MOUPSignInRoutes {
    let members: MOUPMembers
    let sessions: Sessions
    let apple: AppleClient
    let google: GoogleClient

    struct LoginRequest: Decodable {
        var provider: Provider
        var authCode: String
        var username: String?
        var fcmToken: String?

        /// The providers that the app offers.
        enum Provider: String, Decodable {
            case google = "LOGIN_GOOGLE"
            case apple = "LOGIN_APPLE"
        }
    }

    /// `role` is omitted before registration.
    struct LoginResponse: Encodable {
        var role: String?
        var accessToken: String
        var refreshToken: String
    }

    struct RegisterRequest: Decodable {
        var nickname: String
        var role: String?
    }

    struct RoleResponse: Encodable {
        var role: String
    }

    struct RefreshRequest: Decodable {
        var refreshToken: String?
    }

    /// `POST /auth/login` → 200; 201 for a new account, 202 for an unregistered one; 401 for a code that the provider
    /// does not accept.
    func login(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(LoginRequest.self, context)
        guard !body.authCode.isEmpty else { throw Problem(.invalid, message: "authCode must not be empty.") }
        let identity: SocialIdentity
        do {
            identity =
                switch body.provider {
                case .google: try await google.identity(code: body.authCode, app: .moup)
                case .apple: try await apple.identity(code: body.authCode, app: .moup)
                }
        } catch AccountError.socialTokenRefused {
            throw Problem(.unauthenticated, code: "AUTH_401", message: "The provider does not take this authCode.")
        }
        let device = Device(request, context, pushToken: body.fcmToken)
        let signedIn = try await members.signIn(as: identity, username: body.username, device: device)
        var response = try self.response(signedIn).naming(session: signedIn.session)
        if signedIn.stage == .new {
            response.headers[.location] = "http://\(request.head.authority ?? "localhost")/users/profiles"
        }
        return response
    }

    private func response(_ signedIn: MOUPMembers.SignedIn) throws -> Response {
        let (status, role): (HTTPResponse.Status, MOUPMember.Role?) =
            switch signedIn.stage {
            case .new: (.created, nil)
            case .unregistered: (.accepted, nil)
            case .registered(let role): (.ok, role)
            }
        let tokens = signedIn.tokens
        return try .json(
            LoginResponse(
                role: role?.rawValue,
                accessToken: tokens.accessToken,
                refreshToken: tokens.refreshToken
            ),
            status: status
        )
    }

    /// `PATCH /auth/login/register` → 200 with the role; 409 `USER_409` for a repeated registration.
    func register(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(RegisterRequest.self, context)
        let role = try await members.register(
            context.account,
            nickname: body.nickname,
            role: body.role,
            origin: Origin(request, context)
        )
        return try .json(RoleResponse(role: role.rawValue))
    }

    /// `POST /auth/token/refresh` → 200 with both tokens; 400 `AUTH_400` for any other token.
    func refresh(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let token = try await request.json(RefreshRequest.self, context).refreshToken else {
            throw SessionError.refreshInvalid
        }
        let issued = try await sessions.refresh(token, app: .moup, device: Device(request, context))
        return try .json(issued.pair).naming(session: issued.session)
    }
}
