import FoundationEssentials
package import Hummingbird
import HummingbirdTesting

/// A stub of other services, with the routes that a test gives it.
package enum StubService {
    /// Serves the routes on a loopback port while `body` runs with the address.
    package static func run(
        _ addRoutes: (Router<BasicRequestContext>) -> Void,
        _ body: @escaping @Sendable (String) async throws -> Void
    ) async throws {
        let router = Router()
        addRoutes(router)
        try await Application(router: router, logger: .quiet).test(.live) { client in
            try await body("http://127.0.0.1:\(client.port ?? 0)")
        }
    }
}

extension Router where Context == BasicRequestContext {
    /// Answers GET requests with JSON, or with 404 where there is nil.
    package func answer<Answer: Encodable & SendableMetatype>(
        _ path: RouterPath,
        _ answer: @escaping @Sendable (Request, Context) async throws -> Answer?
    ) {
        get(path) { request, context in
            guard let answer = try await answer(request, context) else { throw HTTPError(.notFound) }
            return try Self.json(answer)
        }
    }

    package static func json(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }
}
