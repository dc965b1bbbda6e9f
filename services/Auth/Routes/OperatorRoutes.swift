import Apps
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

    /// `POST /internal/operators/people/restore` → 200; 404 for an account that is not there.
    func restore(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        do {
            let stays = try await people.restore(request.json(OperatorsAPI.Restore.self, context))
            return try .json(OperatorsAPI.Restore.Answer(stays: stays))
        } catch AccountError.accountGone {
            throw Problem(.notFound, message: "There is no such account.")
        }
    }

    /// `POST /internal/operators/sessions/end` → 204; 404 if the account has no such session.
    func end(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try await people.end(request.json(OperatorsAPI.End.self, context))
        return .empty(.noContent)
    }
}
