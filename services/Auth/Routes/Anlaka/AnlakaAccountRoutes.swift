import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Anlaka's sign-up and sign-in with an e-mail address (contract 2.1, calls 1 to 3). Its client expects 400 for every
/// kind of invalid value.
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

    /// `POST /v1/users/validation/email` → 200; 409 when the address has an account.
    func checkEmail(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(EmailRequest.self, context)
        try await accounts.checkAvailability(of: body.email, app: .anlaka, address: context.client)
        return try .json(MessageResponse(message: "사용 가능한 이메일입니다."))
    }

    /// `POST /v1/users/join` → 200 with the account and its tokens; 409 when the address has an account.
    func join(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let body = try await request.json(JoinRequest.self, context)
        let new = NewAccount(
            app: .anlaka,
            nickname: try Nickname.anlaka(body.nick),
            email: try EmailAddress(parsing: body.email),
            phone: try ProfileEdit.bounded(body.phoneNum, "phoneNum", ProfileEdit.phoneLimit),
            introduction: try ProfileEdit.bounded(
                body.introduction,
                "introduction",
                ProfileEdit.introductionLimit
            )
        )
        let signedIn = try await accounts.join(
            new,
            password: Password(parsing: body.password),
            device: Device(request, context, pushToken: body.deviceToken)
        )
        return try .json(SeSACSignInResponse(signedIn)).naming(session: signedIn.session)
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
        return try .json(SeSACSignInResponse(signedIn)).naming(session: signedIn.session)
    }
}
