import Apps
import Authentication
package import Contracts
package import Events
import FoundationEssentials
import Hummingbird
package import Postgres
package import ServiceKit

/// Compares a service's routes with its `openapi.yaml`, with the catalogues of the apps and with the table of internal
/// calls.
package struct APIDocument {
    /// What a domain is made of, without a database or another service that could be reached.
    package struct Parts {
        package let configuration: PostgresConfiguration
        package let database: PostgresClient
        package let outbox = Outbox(subscribers: [])
        package let inbox: Inbox
        package let other: InternalClient

        init() throws {
            configuration = try PostgresConfiguration(url: "postgres://test@127.0.0.1/madang", applicationName: "test")
            database = PostgresClient(configuration, logger: .quiet)
            inbox = Inbox(database: database, subscriptions: [], outbox: outbox)
            other = InternalClient(to: .auth, at: ["http://127.0.0.1:9"], keys: .development(.gateway))
        }
    }

    private let document: Document

    private struct Document: Decodable {
        /// Entries by path and method.
        var paths: [String: [String: Entry]]
    }

    private struct Entry: Decodable {
        /// Nil for an entry that is no operation, such as `parameters`.
        let operation: Operation?

        init(from decoder: any Decoder) {
            operation = try? Operation(from: decoder)
        }
    }

    private struct Operation: Decodable {
        var tags: [String]
        var operationId: String
        /// The schemes of which one set must be satisfied; an empty list for a call without credentials.
        var security: [[String: [String]]]?
        /// By status.
        var responses: [String: Response]

        struct Response: Decodable { init(from decoder: any Decoder) {} }

        /// Whether the call is impossible without credentials.
        var isProtected: Bool { security.map { !$0.isEmpty && !$0.contains([:]) } ?? false }
    }

    /// What stands in one place only; see below.
    ///
    /// - Parameter routes: the function that adds the service's routes.
    package static func differences(
        _ json: [UInt8],
        of service: ServiceName,
        routes: (Parts) throws -> (ServiceRouter) -> Void
    ) throws -> [String] {
        let router = Router(context: AppRequestContext.self)
        let internals = ServiceRouter(router.group(""))
        try routes(Parts())(internals)
        let document = APIDocument(document: try JSONDecoder().decode(Document.self, from: Data(json)))
        return document.differences(from: router, of: service)
            + InternalCallTable.differences(from: internals.internalRoutes, of: service)
    }

    /// What stands in one place only, of the catalogues of the apps, the service's routes and its document:
    /// `GET /stations (seatcatcher) is not mounted`.
    ///
    /// A documented operation names its apps as tags, and is called as in their catalogues with the app's name in front;
    /// `sesac` stands for Anlaka and Seoul Culture, where one path serves both.
    private func differences(from router: Router<AppRequestContext>, of service: ServiceName) -> [String] {
        let documented = documentedRoutes
        let mounted = mountedRoutes(router)
        let declared = declaredOperations(of: service)
        let names = Set(declared.keys)
        return names.subtracting(mounted).sorted().map { "\($0) is not mounted" }
            + mounted.subtracting(names).sorted().map { "\($0) is in no catalogue, or another service's" }
            + names.subtracting(documented.keys).sorted().map { "\($0) is not documented" }
            + Set(documented.keys).subtracting(names).sorted().map { "\($0) is documented and in no catalogue" }
            + documented.sorted { $0.key < $1.key }.compactMap { route, operation in
                let id = operation.operationId
                guard let name = declared[route]?.name, !id.hasSuffix(".\(name)") else { return nil }
                return "\(route) is documented as \(id), and \(name) in the catalogue"
            }
            + declared.sorted { $0.key < $1.key }.compactMap { route, operation in
                guard operation.needsUser, documented[route]?.isProtected == false else { return nil }
                return "\(route) needs a user and says no security"
            }
            + declared.sorted { $0.key < $1.key }.compactMap { route, operation in
                let isNotModified = documented[route]?.responses["304"] != nil
                return isNotModified == operation.isKept
                    ? nil : "\(route) is kept by caches, or documents 304, not both"
            }
    }

    /// Operations by method, path and app.
    private func declaredOperations(of service: ServiceName) -> [String: (name: String, needsUser: Bool, isKept: Bool)]
    {
        var operations: [String: (name: String, needsUser: Bool, isKept: Bool)] = [:]
        for catalogue in AppCatalogues.all {
            for (name, operation) in catalogue.operations where operation.service == service && !operation.isWebSocket {
                let route = "\(operation.method.rawValue) \(operation.path) (\(catalogue.app.rawValue))"
                operations[route] = (name, operation.access == .user, operation.maxAge != nil)
            }
        }
        return operations
    }

    private var documentedRoutes: [String: Operation] {
        var routes: [String: Operation] = [:]
        for (path, entries) in document.paths {
            for (method, entry) in entries {
                guard let operation = entry.operation else { continue }
                for app in operation.tags { routes["\(method.uppercased()) \(path) (\(app))"] = operation }
            }
        }
        return routes
    }

    private func mountedRoutes(_ router: Router<AppRequestContext>) -> Set<String> {
        var routes: Set<String> = []
        for route in router.routes {
            let parts = route.path.description.split(separator: "/").map { part in
                part.hasPrefix(":") ? "{\(part.dropFirst())}" : String(part)
            }
            guard let app = parts.first.flatMap(App.init(rawValue:)), route.method != .head else { continue }
            routes.insert("\(route.method) /\(parts.dropFirst().joined(separator: "/")) (\(app.rawValue))")
        }
        return routes
    }
}
