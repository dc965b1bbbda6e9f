import AppWire
import Contracts
import Hummingbird
import ServiceHost

/// Anlaka's sign-up and sign-in with an e-mail address (contract 2.1, calls 1 to 3). Its client knows 400 for every kind
/// of wrong value.
struct AnlakaAccountRoutes {
    let accounts: Accounts

    struct EmailRequest: Decodable {
        var email: String
    }

    struct JoinRequest: Decodable {
        var email: String
        var password: String
        var nick: String
        var phoneNum: String?
        var introduction: String?
        var deviceToken: String?
    }

    struct SignInRequest: Decodable {
        var email: String
        var password: String
        var deviceToken: String?
    }

    struct MessageResponse: Encodable {
        var message: String
    }

    struct SignInResponse: Encodable {
        var userID: String
        var email: String
        var nick: String
        var profileImage: String?
        var accessToken: String
        var refreshToken: String

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
            case email, nick, profileImage, accessToken, refreshToken
        }

        init(_ signedIn: Accounts.SignedIn) {
            let (account, tokens) = (signedIn.account, signedIn.tokens)
            self.userID = account.publicID
            self.email = account.email?.text ?? ""
            self.nick = account.nickname
            self.profileImage = account.image
            self.accessToken = tokens.accessToken
            self.refreshToken = tokens.refreshToken
        }
    }

    /// `POST /v1/users/validation/email` → 200; 409 when the address has an account.
    func checkEmail(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(EmailRequest.self, context)
        try await accounts.checkAvailability(of: body.email, app: .anlaka, address: context.client)
        return try .json(MessageResponse(message: "사용 가능한 이메일입니다."))
    }

    /// `POST /v1/users/join` → 200 with the account and its tokens; 409 when the address has an account.
    func join(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(JoinRequest.self, context)
        guard body.introduction?.count ?? 0 <= 60 else {
            throw Problem(.malformed, message: "introduction must have 60 characters or fewer.")
        }
        let new = NewAccount(
            app: .anlaka,
            nickname: try Nickname.anlaka(body.nick),
            email: try EmailAddress(parsing: body.email),
            phone: body.phoneNum.map { String($0.prefix(30)) },
            introduction: body.introduction
        )
        let signedIn = try await accounts.join(
            new,
            password: Password(parsing: body.password),
            device: Device(request, context, pushToken: body.deviceToken)
        )
        return try .json(SignInResponse(signedIn)).naming(session: signedIn.session)
    }

    /// `POST /v1/users/login` → 200; 401 for an unknown address or a wrong password.
    func signIn(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(SignInRequest.self, context)
        guard !body.email.isEmpty, !body.password.isEmpty else {
            throw Problem(.malformed, message: "email and password must not be empty.")
        }
        let signedIn = try await accounts.signIn(
            email: body.email,
            password: body.password,
            app: .anlaka,
            device: Device(request, context, pushToken: body.deviceToken)
        )
        return try .json(SignInResponse(signedIn)).naming(session: signedIn.session)
    }
}
