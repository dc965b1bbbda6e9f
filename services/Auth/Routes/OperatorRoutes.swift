import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import Postgres
import ServiceKit

/// What operators see of people in the console, and the end of a session by them.
struct OperatorRoutes {
    let sessions: Sessions
    private let store = OperatorLookupStore()

    private static let limit = 20

    init(sessions: Sessions) { self.sessions = sessions }

    /// `GET /internal/operators/people?q=TEXT` → 200, maybe with nobody.
    func find(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let digits = (request.query("q") ?? "").filter { $0 != "-" && $0 != " " }
        let text = PhoneNumber(digits)?.text ?? request.query("q") ?? ""
        guard !text.isEmpty, text.utf8.count <= 254, !text.utf8.contains(0) else {
            return try .json(OperatorsAPI.People(people: []))
        }
        var people = try await store.people(text, limit: Self.limit, in: sessions.database)
        for index in people.indices {
            people[index].sessions = try await sessions.list(of: people[index].account).map { session in
                OperatorsAPI.Session(
                    id: session.id,
                    name: session.name,
                    device: session.device,
                    createdAt: session.createdAt.timeIntervalSince1970,
                    seenAt: session.seenAt.timeIntervalSince1970
                )
            }
        }
        return try .json(OperatorsAPI.People(people: people))
    }

    /// `POST /internal/operators/sessions/end` → 204; 404 if the account has no such session.
    func end(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let end = try await request.json(OperatorsAPI.End.self, context)
        try await sessions.revoke(
            end.session,
            of: end.account,
            app: end.app,
            current: "",
            origin: Origin(userAgent: "console: \(end.by)")
        )
        return .empty(.noContent)
    }
}
