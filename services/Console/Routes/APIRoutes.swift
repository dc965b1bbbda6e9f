import Apps
import Contracts
import Hummingbird
import ServiceKit

/// The pages about the apps' operations, and calls of them as a person of the initial data.
struct APIRoutes {
    let domain: ConsoleDomain

    /// The longest body that is sent, in bytes.
    private static let longestBody = 32 << 10

    /// `GET /console/api` and `GET /console/api/APP`.
    func list(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let app = try app(context.parameters.get("app") ?? App.allCases[0].rawValue, visit)
            let page = APIPage(app: app, operations: Self.operations(of: app), language: visit.language)
            return visit.layout.response("API", "api", page.html)
        }
    }

    /// `GET /console/api/APP/OPERATION`: a form with the values of the operation's example.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let page = try await page(context, visit)
            return visit.layout.response(page.name, "api", page.html)
        }
    }

    /// `POST /console/api/APP/OPERATION`: sends the call, and shows the answer.
    func send(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators, needing: .act) { visit in
            let (fields, reason) = try await visit.act(request, context)
            var page = try await page(context, visit)
            page.person = fields["person"] ?? ""
            page.call.path = fields["path"] ?? ""
            page.call.body = fields["body"] ?? ""
            guard let calls = domain.apiCalls, let session = page.session,
                let person = session.persons.first(where: { $0.name == page.person })
            else { throw Problem(.notFound, message: visit.language("There is no such person.", "그런 사용자가 없습니다.")) }
            guard page.call.path.hasPrefix("/"), page.call.path.utf8.allSatisfy({ (33...126).contains($0) }),
                page.call.body.utf8.count <= Self.longestBody
            else {
                throw Problem(
                    .invalid,
                    message: visit.language(
                        "The path must begin with / and be percent-encoded, the body have at most 32 kB.",
                        "경로는 /로 시작하고 퍼센트 인코딩이어야 하며, 본문은 32kB까지입니다."
                    )
                )
            }
            let (call, operation) = (page.call, page.operation)
            let subject = "\(page.app.rawValue) \(person.name): \(call.method) \(operation.path)"
            try await visit.record("try call", on: subject, because: reason, in: domain.operators) {
                guard let answer = try? await calls.send(call, as: person, of: session) else {
                    throw Problem(
                        .unavailable,
                        message: visit.language("The gateway does not answer.", "게이트웨이가 응답하지 않습니다.")
                    )
                }
                page.answer = answer
                return "\(answer.status) \(answer.requestID ?? "")"
            }
            return visit.layout.response(page.name, "api", page.html)
        }
    }

    private func page(_ context: AppRequestContext, _ visit: Visit) async throws -> APICallPage {
        let app = try app(context.parameters.get("app") ?? "", visit)
        let name = context.parameters.get("operation") ?? ""
        guard let operation = Self.operations(of: app).first(where: { $0.name == name })?.operation else {
            throw Problem(.notFound, message: visit.language("There is no such operation.", "그런 기능이 없습니다."))
        }
        let examples = await domain.apiCalls?.examples(of: app) ?? [:]
        let example = examples["\(operation.method.rawValue) \(operation.path)"]
        return APICallPage(
            app: app,
            name: name,
            operation: operation,
            session: await domain.apiCalls?.session(of: app),
            type: example?.type,
            call: APICalls.Call(
                method: operation.method.rawValue,
                path: example?.path ?? operation.path,
                body: example?.body ?? ""
            ),
            visitor: visit.visitor,
            language: visit.language
        )
    }

    private func app(_ name: String, _ visit: Visit) throws(Problem) -> App {
        guard let app = App(rawValue: name) else {
            throw Problem(.notFound, message: visit.language("There is no such app.", "그런 앱이 없습니다."))
        }
        return app
    }

    /// Those that are no WebSockets.
    private static func operations(of app: App) -> [(name: String, operation: Operation)] {
        AppCatalogues.all.filter { $0.app == app }.flatMap { $0.operations.filter { !$0.operation.isWebSocket } }
    }
}
