import Apps
import Contracts

/// Finds the app and the route of a request.
///
/// A host name assigned to an app takes precedence. Otherwise paths that only apps with a key use (`/v1/…`,
/// `/event-application`, `/socket.io/`) belong to the app of the request's key, and all others are matched by path
/// alone.
final class Router: Sendable {
    /// The result of a lookup.
    enum Finding: Sendable {
        /// The index of a route in `routes`.
        case route(Int)
        case nothing(App?, Reason)
    }

    /// Why there is no route; the app is included where it is known.
    enum Reason: Sendable, Equatable {
        /// The path does not exist.
        case unknown
        /// The path exists and accepts only these methods.
        case method([Method])
        /// The path requires the app's key, which is missing or wrong.
        case appKey
    }

    let routes: [Route]
    private let byApp: [App: PathTree]
    /// The routes that need no key.
    private let keyless: PathTree
    private let hosts: [String: App]
    private let keys: [(key: [UInt8], app: App)]

    /// - Parameters:
    ///   - hosts: Apps by host name, in lower case.
    ///   - keys: Apps by the value of their `SeSACKey`; an app with at least one key requires it.
    init(_ routes: [Route] = Route.all, hosts: [String: App] = [:], keys: [String: App] = [:]) {
        self.routes = routes
        self.hosts = hosts
        self.keys = keys.map { (key: Array($0.key.utf8), app: $0.value) }
        let numbered = routes.enumerated().map { (number: $0.offset, route: $0.element) }
        byApp = Dictionary(grouping: numbered, by: \.route.app).mapValues(PathTree.init)
        keyless = PathTree(numbered.filter { !$0.route.app.hasKey || !$0.route.operation.access.needsKey })
    }

    /// - Parameters:
    ///   - host: The range of the Host field's value in `bytes`.
    ///   - key: The range of the `SeSACKey` field's value.
    func find(
        _ method: Method,
        _ target: RequestTarget,
        host: Range<Int>,
        key: Range<Int>?,
        in bytes: Span<UInt8>
    ) -> Finding {
        let keyed = app(ofKey: key, in: bytes)
        if let app = app(ofHost: host, in: bytes) {
            return find(method, target, of: app, keyed: keyed)
        }
        if let keyed { return find(method, target, of: keyed, keyed: keyed) }
        let finding = keyless.find(method, target)
        if finding.route == nil, let app = appNeedingKey(target) { return .nothing(app, .appKey) }
        if let index = finding.route { return .route(index) }
        return self.finding(finding, app: finding.apps.only)
    }

    private func find(_ method: Method, _ target: RequestTarget, of app: App, keyed: App?) -> Finding {
        let finding = byApp[app]?.find(method, target) ?? PathTree.Finding()
        let isOpen = finding.route.map { !routes[$0].operation.access.needsKey } ?? false
        guard isOpen || !app.hasKey || keyed == app else { return .nothing(app, .appKey) }
        return self.finding(finding, app: app)
    }

    private func finding(_ finding: PathTree.Finding, app: App?) -> Finding {
        if let index = finding.route { return .route(index) }
        return .nothing(app, finding.otherMethods.isEmpty ? .unknown : .method(finding.otherMethods))
    }

    private func appNeedingKey(_ target: RequestTarget) -> App? {
        guard let first = target.segments.first else { return nil }
        return App.allCases.first { app in
            app.hasKey && byApp[app]?.begins(with: first, of: target.bytes) ?? false
        }
    }

    private func app(ofKey key: Range<Int>?, in bytes: Span<UInt8>) -> App? {
        guard let key else { return nil }
        for known in keys where known.key.count == key.count {
            if key.allSatisfy({ bytes[$0] == known.key[$0 - key.lowerBound] }) { return known.app }
        }
        return nil
    }

    /// The app that a host name is assigned to.
    func app(ofHost host: Range<Int>, in bytes: Span<UInt8>) -> App? {
        guard !hosts.isEmpty else { return nil }
        let name = host.map { bytes[$0].lowercased }.prefix { $0 != .colon }
        return hosts[String(decoding: name, as: UTF8.self)]
    }
}

extension App {
    /// Whether the app sends a `SeSACKey` with its calls.
    var hasKey: Bool { self == .anlaka || self == .culture }
}
