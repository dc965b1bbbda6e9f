import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import ServiceKit

/// With Suhyeon's sign-up, sign-in, sign-out and withdrawal (contract 1.2, calls 1 to 6).
struct WithSuhyeonSignInRoutes {
    let companions: WithSuhyeonAccounts
    let sessions: Sessions
    let withdrawal: Withdrawal
    let kakao: KakaoClient
    let apple: AppleClient

    struct SignUpRequest: Decodable {
        var phoneNumber: String?
        var nickname: String?
        var birthYear: Int?
        /// Whether the user is male.
        var gender: Bool?
        var profileImage: String?
        var region: String?
        /// The `userId` of the social sign-in's response.
        var userId: PendingSignUpID?
    }

    struct SignInRequest: Decodable {
        var phoneNumber: String?
    }

    struct SocialResponse: Encodable {
        var isUser: Bool
        /// The id of the account, or of the pending sign-up.
        var userId: Int64
        var accessToken: String?
        var refreshToken: String?

        /// Encodes every key; without an account the tokens are null.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(isUser, forKey: .isUser)
            try container.encode(userId, forKey: .userId)
            try container.encode(accessToken, forKey: .accessToken)
            try container.encode(refreshToken, forKey: .refreshToken)
        }

        enum CodingKeys: String, CodingKey {
            case isUser, userId, accessToken, refreshToken
        }
    }

    /// `PATCH /api/v1/auth/signup` → 200: completes a sign-up that began with Kakao or Apple.
    func finishSignUp(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(SignUpRequest.self, context)
        guard body.userId != nil else { throw WithSuhyeonError.malformed(["userId is required."]) }
        return try await signUp(body, request, context)
    }

    /// `POST /api/v1/auth/signup` → 200: the same, or a sign-up by phone number alone.
    func signUp(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try await signUp(request.json(SignUpRequest.self, context), request, context)
    }

    private func signUp(
        _ body: SignUpRequest,
        _ request: Request,
        _ context: AppRequestContext
    ) async throws -> Response {
        let form = try SignUpForm(
            phoneNumber: body.phoneNumber,
            nickname: body.nickname,
            birthYear: body.birthYear,
            gender: body.gender,
            profileImage: body.profileImage,
            region: body.region
        )
        try await companions.signUp(form, finishing: body.userId, device: Device(request, context))
        return try .withSuhyeon()
    }

    /// `POST /api/v1/auth/signin` → 200 with both tokens, for a recently verified phone number.
    func signIn(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(SignInRequest.self, context)
        guard let phone = body.phoneNumber.flatMap(PhoneNumber.init) else {
            throw WithSuhyeonError.malformed([PhoneNumber.rule])
        }
        let issued = try await companions.signIn(phone: phone, device: Device(request, context))
        return try .withSuhyeon(issued.pair).naming(session: issued.session)
    }

    /// `POST /api/v1/auth/kakao` → 200; the Kakao token is in `Access-Token`.
    func kakao(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let name = HTTPField.Name("Access-Token"), let token = request.headers[name] else {
            throw Self.refused("Access-Token is required.")
        }
        return try await social(request, context) {
            try await kakao.identity(accessToken: token, app: .withsuhyeon)
        }
    }

    /// `POST /api/v1/auth/apple?code=` → 200. The app percent-encodes the code twice.
    func apple(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let code = request.query("code"), !code.isEmpty else {
            throw WithSuhyeonError.malformed(["code is required."])
        }
        return try await social(request, context) {
            do {
                return try await apple.identity(code: code, app: .withsuhyeon)
            } catch AccountError.socialTokenRefused {
                guard let decoded = Self.percentDecoded(code), decoded != code else {
                    throw AccountError.socialTokenRefused
                }
                return try await apple.identity(code: decoded, app: .withsuhyeon)
            }
        }
    }

    private func social(
        _ request: Request,
        _ context: AppRequestContext,
        _ identify: () async throws -> SocialIdentity
    ) async throws -> Response {
        let identity: SocialIdentity
        do {
            identity = try await identify()
        } catch AccountError.socialTokenRefused {
            throw Self.refused("The provider does not vouch for this sign-in.")
        }
        switch try await companions.signIn(as: identity, device: Device(request, context)) {
        case .known(let account, let issued):
            let response = SocialResponse(
                isUser: true,
                userId: account.rawValue,
                accessToken: issued.pair.accessToken,
                refreshToken: issued.pair.refreshToken
            )
            return try .withSuhyeon(response).naming(session: issued.session)
        case .unfinished(let id):
            return try .withSuhyeon(SocialResponse(isUser: false, userId: id.rawValue))
        }
    }

    /// `POST /api/v1/auth/logout` → 200.
    func logout(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await sessions.revoke(
            context.session,
            of: context.account,
            app: context.app,
            current: context.session,
            origin: Origin(request, context)
        )
        return try .withSuhyeon().ending([sessions.revocation(of: context.session, in: context.app)])
    }

    /// `DELETE /api/v1/auth/withdraw` → 200.
    func withdraw(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let leaving = try await withdrawal.request(context.account, app: context.app, origin: Origin(request, context))
        return try .withSuhyeon().ending(leaving.ended)
    }

    /// Returns nil for text that is not percent-encoded.
    private static func percentDecoded(_ text: String) -> String? {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        var bytes = Array((parts.first ?? "").utf8)
        for part in parts.dropFirst() {
            guard part.utf8.count >= 2, let byte = UInt8(part.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            bytes += part.dropFirst(2).utf8
        }
        return String(validating: bytes, as: UTF8.self)
    }

    private static func refused(_ message: String) -> Problem {
        Problem(.invalid, code: "REQUEST_019", message: message)
    }
}
