import Contracts
import Hummingbird
import ServiceKit

/// The console's calls about people.
struct OperatorRoutes {
    let people: PeopleLookup

    /// `GET /internal/operators/people?q=TEXT` → 200, maybe with none.
    func find(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try .json(OperatorsAPI.People(people: await people.find(request.query("q") ?? "")))
    }

    /// `POST /internal/operators/sessions/end` → 204; 404 if the account has no such session.
    func end(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try await people.end(request.json(OperatorsAPI.End.self, context))
        return .empty(.noContent)
    }
}
