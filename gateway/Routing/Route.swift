import Apps
import Contracts

/// An operation of an app, as the gateway looks it up.
final class Route: Sendable {
    let app: App
    let operation: Operation

    init(_ app: App, _ operation: Operation) {
        self.app = app
        self.operation = operation
    }

    /// The operations of all apps.
    static let all: [Route] = AppCatalogues.all.flatMap { catalogue in
        catalogue.operations.map { Route(catalogue.app, $0.operation) }
    }
}
