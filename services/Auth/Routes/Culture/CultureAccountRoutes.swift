import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Seoul Culture's sign-up and sign-in (contract 2, calls 1 and 2; 4.1).
struct CultureAccountRoutes {
    let accounts: Accounts

    struct EmailRequest: Decodable {
        var email: String
    }

    struct JoinRequest: Decodable {
        var email: String
        var password: String
        var nick: String
        var phoneNum: String?
        var birthDay: String?
    }

    struct SignInRequest: Decodable {
        var email: String
        var password: String
    }

    struct MessageResponse: Encodable {
        var message: String
    }

    struct AccountResponse: Encodable {
        var userID: PublicID
        var email: String
        var nick: String

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
            case email, nick
        }

        init(_ account: Account) {
            self.userID = account.publicID
            self.email = account.email?.text ?? ""
            self.nick = account.nickname
        }
    }

    /// `POST /v1/validation/email` → 200; 409 when the address has an account.
    func checkEmail(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(EmailRequest.self, context)
        try await accounts.checkAvailability(of: body.email, app: .culture, address: context.client)
        return try .json(MessageResponse(message: "사용 가능한 이메일입니다."))
    }

    /// `POST /v1/users/join` → 200 with the account; 402 for whitespace in the name, 409 when the address has an
    /// account or the name is taken.
    func join(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(JoinRequest.self, context)
        let new = NewAccount(
            app: .culture,
            nickname: try Nickname.culture(body.nick),
            email: try EmailAddress(parsing: body.email),
            phone: try ProfileEdit.bounded(body.phoneNum, "phoneNum", ProfileEdit.phoneLimit),
            birthDay: try ProfileEdit.bounded(body.birthDay, "birthDay", ProfileEdit.birthDayLimit)
        )
        let account = try await accounts.create(
            new,
            password: Password.culture(body.password),
            device: Device(request, context)
        )
        return try .json(AccountResponse(account))
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
            app: .culture,
            device: Device(request, context)
        )
        return try .json(SeSACSignInResponse(signedIn)).naming(session: signedIn.session)
    }
}
