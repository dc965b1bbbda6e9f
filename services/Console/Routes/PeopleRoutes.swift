import Apps
import Contracts
import Hummingbird
import ServiceKit

/// The page about people, and the end of their sessions.
struct PeopleRoutes {
    let domain: ConsoleDomain

    /// `GET /console/people?q=…`.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let query = String((request.query("q") ?? "").prefix(200))
            let people = try await domain.people.find(query)
            let page = PeoplePage(query: query, people: people, visitor: visit.visitor, language: visit.language)
            return visit.layout.response(visit.language("People", "사람"), "people", page.html)
        }
    }

    /// `POST /console/people/restore`: the withdrawal is taken back, and sign-ins are counted anew.
    func restore(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators, needing: .act) { visit in
            let (fields, reason) = try await visit.act(request, context)
            let unknown = Problem(.notFound, message: visit.language("There is no such account.", "그런 계정이 없습니다."))
            guard let account = fields["account"].flatMap(AccountID.init),
                let app = fields["app"].flatMap(App.init(rawValue:))
            else { throw unknown }
            let restore = OperatorsAPI.Restore(account: account, app: app, by: visit.visitor.name)
            let subject = "\(app.rawValue) \(account)"
            try await visit.record("restore", on: subject, because: reason, in: domain.operators) {
                guard let stays = try await domain.people.restore(restore) else { throw unknown }
                return stays ? "withdrawal taken back, limits refilled" : "limits refilled"
            }
            return .seeOther("people?q=\(account)")
        }
    }

    /// `POST /console/people/end-session`: the phone has to sign in again.
    func endSession(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators, needing: .act) { visit in
            let (fields, reason) = try await visit.act(request, context)
            let unknown = Problem(.notFound, message: visit.language("There is no such session.", "그런 세션이 없습니다."))
            guard let account = fields["account"].flatMap(AccountID.init), let session = fields["session"],
                let app = fields["app"].flatMap(App.init(rawValue:))
            else { throw unknown }
            let end = OperatorsAPI.End(account: account, app: app, session: session, by: visit.visitor.name)
            let subject = "\(app.rawValue) \(account) \(session)"
            try await visit.record("end session", on: subject, because: reason, in: domain.operators) {
                guard try await domain.people.end(end) else { throw unknown }
                return "ended"
            }
            return .seeOther("people?q=\(account)")
        }
    }
}
