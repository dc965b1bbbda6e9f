import Hummingbird
import ServiceKit

/// Sign-in by the address of an invitation, and sign-out.
struct SessionRoutes {
    let operators: OperatorStore

    /// `GET /console/sign-in?token=…`: a button.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        page(Language(header: request.headers[.acceptLanguage]), token: request.query("token"))
    }

    /// `POST /console/sign-in`: uses the invitation up, and sets the session's cookie.
    func signIn(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request) { language in
            let token = try await request.formFields(context)["token"] ?? ""
            guard request.isFromOwnPage, let session = try await operators.signIn(token) else {
                return page(
                    language,
                    token: nil,
                    note: language("This address was used or has expired.", "이미 사용했거나 만료된 주소입니다."),
                    status: .forbidden
                )
            }
            var response = Response.seeOther("now")
            response.headers[.setCookie] = Self.cookie(session, seconds: Int(OperatorStore.sessionTime))
            return response
        }
    }

    /// `POST /console/sign-out`: ends the session.
    func signOut(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, operators) { visit in
            _ = try await visit.form(request, context)
            if let token = request.sessionToken { try await operators.signOut(token) }
            var response = Response.seeOther("sign-in")
            response.headers[.setCookie] = Self.cookie("", seconds: 0)
            return response
        }
    }

    private func page(
        _ language: Language,
        token: String?,
        note: String = "",
        status: HTTPResponse.Status = .ok
    ) -> Response {
        let note: HTML = note.isEmpty ? "" : "<p class=\"failed\">\(note)</p>"
        let main: HTML = "\(note)\(SignInPage(token: token, language: language).html)"
        return Layout(language: language).response(language("Sign in", "로그인"), "sign-in", main, status: status)
    }

    private static func cookie(_ token: String, seconds: Int) -> String {
        "\(Visit.cookie)=\(token); Path=\(Layout.root); Max-Age=\(seconds); HttpOnly; SameSite=Strict"
    }
}
