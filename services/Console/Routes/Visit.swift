import Apps
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import ServiceKit

/// A request of a page: who asks, in which language.
struct Visit: Sendable {
    var visitor: Operator
    var language: Language

    var layout: Layout { Layout(language: language, operatorName: visitor) }

    static let cookie = "madang_console"

    /// Answers an operator, and everyone else with the way to sign in.
    ///
    /// - Parameter role: What the request needs.
    static func answer(
        _ request: Request,
        _ operators: OperatorStore,
        needing role: OperatorRole = .look,
        _ body: (Visit) async throws -> Response
    ) async -> Response {
        await answer(request) { language in
            guard let token = request.sessionToken, let visitor = try await operators.find(token) else {
                return request.method == .get ? .seeOther("sign-in") : refusal(.unauthorized, language)
            }
            let visit = Visit(visitor: visitor, language: language)
            guard role == .look || visitor.role == .act else { return refusal(.forbidden, language, visitor) }
            return try await body(visit)
        }
    }

    /// Answers anyone; after an error, with a page that says what it is.
    static func answer(_ request: Request, _ body: (Language) async throws -> Response) async -> Response {
        let language = Language(header: request.headers[.acceptLanguage])
        do {
            return try await body(language)
        } catch let problem as Problem {
            let status = problem.errorResponse(for: nil, requestID: "").status
            return Layout(language: language).response(
                language("This did not work", "처리하지 못했습니다"),
                "",
                "<p>\(problem.message)</p>",
                status: status
            )
        } catch  where error is InternalCallError || error is ProviderUnavailable {
            Logger.current.warning("console: a program does not answer", error: error)
            return Layout(language: language).response(
                language("A program does not answer", "프로그램이 응답하지 않습니다"),
                "",
                "<p>\(language("If this was an act, it is not known whether it was done: see Acts.", "조치였다면 처리 여부를 알 수 없습니다. 조치 기록을 확인하세요."))</p>",
                status: .serviceUnavailable
            )
        } catch {
            Logger.current.error("console: a page failed", error: error)
            return Layout(language: language).response(
                language("The console's database does not answer", "콘솔 데이터베이스가 응답하지 않습니다"),
                "",
                "<p>\(language("The pages are back when it is. The apps are served as before.", "복구되면 다시 표시됩니다. 앱은 계속 동작합니다."))</p>",
                status: .serviceUnavailable
            )
        }
    }

    static func refusal(_ status: HTTPResponse.Status, _ language: Language, _ visitor: Operator? = nil) -> Response {
        let text =
            status == .forbidden
            ? language("Your role may look, and not act.", "조회 권한만 있어 조치할 수 없습니다.")
            : language("Sign in first.", "먼저 로그인하세요.")
        return Layout(language: language, operatorName: visitor).response(
            language("Refused", "거절됨"),
            "",
            "<p>\(text)</p>",
            status: status
        )
    }

    /// The fields of a form of this session.
    ///
    /// - Throws: `Problem` for one that another page has sent.
    func form(_ request: Request, _ context: AppRequestContext) async throws -> [String: String] {
        let fields = try await request.formFields(context)
        guard request.isFromOwnPage, fields["form"] == visitor.form else {
            throw Problem(.forbidden, message: language("This form is not of your session.", "이 세션의 양식이 아닙니다."))
        }
        return fields
    }

    /// The fields of a form of this session, and the reason that it gives.
    ///
    /// - Throws: `Problem` for a form of another page, or without a reason.
    func act(_ request: Request, _ context: AppRequestContext) async throws -> ([String: String], reason: String) {
        let fields = try await form(request, context)
        // PostgreSQL stores no NUL, and the act would not be recorded.
        guard let reason = fields["reason"], (1...200).contains(reason.count), !reason.utf8.contains(0) else {
            throw Problem(.invalid, message: language("Give a reason of up to 200 characters.", "사유를 200자 이내로 적으세요."))
        }
        return (fields, reason)
    }

    /// Records an act before it is done, and then its outcome. One of which the outcome could not be recorded is there as
    /// begun.
    ///
    /// - Parameters:
    ///   - subject: What it is done to.
    ///   - body: Does it, and returns the outcome. After a `Problem` nothing was done, and nothing is recorded.
    func record(
        _ act: String,
        on subject: String,
        because reason: String,
        in operators: OperatorStore,
        _ body: () async throws -> String
    ) async throws {
        let act = Act(name: visitor.name, act: act, subject: subject, reason: reason, outcome: "begun")
        let number = try await operators.record(act)
        do {
            try await operators.end(number, try await body())
        } catch let problem as Problem {
            try await operators.end(number, nil)
            throw problem
        } catch {
            try await operators.end(number, "not known: \(error)")
            throw error
        }
    }
}

extension Request {
    /// The token of the session's cookie.
    var sessionToken: String? {
        let pairs = headers[.cookie]?.split(separator: ";") ?? []
        let values = pairs.compactMap { pair -> String? in
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].drop(while: { $0 == " " }) == Visit.cookie else { return nil }
            return String(parts[1])
        }
        return values.first
    }

    /// Whether the browser says that a page of the console has sent it (W3C, Fetch Metadata Request Headers), or says nothing.
    var isFromOwnPage: Bool {
        let site = HTTPField.Name("Sec-Fetch-Site").flatMap { headers[$0] }
        return site == nil || site == "same-origin"
    }

    /// The fields of an `application/x-www-form-urlencoded` body of up to 64 kB; empty if it is not one.
    func formFields(_ context: some RequestContext) async throws -> [String: String] {
        let body = try await body.collect(upTo: 64 << 10)
        return (try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body))) ?? [:]
    }
}

extension Response {
    /// - Parameter path: Below `/console`.
    static func seeOther(_ path: String) -> Response {
        Response(status: .seeOther, headers: [.location: "\(Layout.root)/\(path)", .cacheControl: "no-store"])
    }
}
