import Contracts
import Hummingbird
import Postgres
import ServiceKit

/// `GET /internal/operators/data`: what the service has in its database, for operators.
struct DataRoutes: Sendable {
    let database: PostgresClient

    func add(to router: ServiceRouter) {
        router.on(.get, "internal/operators/data", from: .console) { _, _ in
            try Response.json(try await DatabaseReport(of: database).read())
        }
    }
}
