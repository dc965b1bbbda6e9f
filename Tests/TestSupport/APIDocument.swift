import Contracts
package import Hummingbird
package import ServiceHost

/// Holds a service's routes and its `openapi.yaml` against each other.
package struct APIDocument {
    private let document: YAML.Value

    package init(_ yaml: [UInt8]) throws {
        document = try YAML.parse(String(decoding: yaml, as: UTF8.self))
    }

    /// What stands on one side only: `GET /stations (seatcatcher) is not served`, `… is not documented`.
    ///
    /// A documented operation names its apps as tags.
    package func differences(from router: Router<AppRequestContext>) -> [String] {
        let documented = documentedRoutes
        let served = servedRoutes(router)
        return documented.subtracting(served).sorted().map { "\($0) is not served" }
            + served.subtracting(documented).sorted().map { "\($0) is not documented" }
    }

    private var documentedRoutes: Set<String> {
        var routes: Set<String> = []
        for path in document["paths"]?.keys ?? [] {
            for method in document["paths"]?[path]?.keys ?? [] {
                guard case .sequence(let tags)? = document["paths"]?[path]?[method]?["tags"] else { continue }
                for case .string(let app) in tags { routes.insert("\(method.uppercased()) \(path) (\(app))") }
            }
        }
        return routes
    }

    private func servedRoutes(_ router: Router<AppRequestContext>) -> Set<String> {
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
