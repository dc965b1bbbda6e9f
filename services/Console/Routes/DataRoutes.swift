import Contracts
import Hummingbird
import ServiceDatabase
import ServiceKit

/// The page about databases.
struct DataRoutes {
    let domain: ConsoleDomain

    private static let listLength = 30

    /// `GET /console/data`.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            async let own = domain.report.read()
            async let statements = domain.statements.slowest(limit: Self.listLength)
            let others = await domain.services.ask(OperatorsAPI.Data.path, as: OperatorsAPI.Data.self)
            let page = DataPage(
                databases: others + [(.console, try await own)],
                statements: try await statements,
                language: visit.language
            )
            return visit.layout.response(visit.language("Data", "데이터"), "data", page.html)
        }
    }
}
