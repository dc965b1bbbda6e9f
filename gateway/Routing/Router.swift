import Contracts

/// Finds the app and the route of a request.
///
/// A host name that is given to an app decides. Otherwise paths that only apps with a key use (`/v1/…`,
/// `/event-application`, `/socket.io/`) belong to the app whose key came along, and all others are told apart by path.
final class Router: Sendable {
    /// What a request asks for.
    enum Finding: Sendable {
        /// The index of a route in `routes`.
        case route(Int)
        case nothing(App?, Reason)
    }

    /// Why there is no route, in an app that can be told, or none.
    enum Reason: Sendable, Equatable {
        /// No such address.
        case unknown
        /// The address is there, and takes only these methods.
        case method([Method])
        /// The address needs the app's key, and none or a wrong one came.
        case appKey
    }

    /// Every route.
    let routes: [Route]
    private let byApp: [App: PathTree]
    /// What can be reached without a key.
    private let keyless: PathTree
    private let hosts: [String: App]
    private let keys: [(key: [UInt8], app: App)]

    /// - Parameters:
    ///   - hosts: apps by host name, in lower case.
    ///   - keys: apps by the value of their `SeSACKey`; an app with any key needs one.
    init(_ tables: [RouteTable] = RouteTable.all, hosts: [String: App] = [:], keys: [String: App] = [:]) {
        let routes = tables.flatMap(\.routes)
        self.routes = routes
        self.hosts = hosts
        self.keys = keys.map { (key: Array($0.key.utf8), app: $0.value) }
        let numbered = routes.enumerated().map { (number: $0.offset, route: $0.element) }
        byApp = Dictionary(grouping: numbered, by: \.route.app).mapValues(PathTree.init)
        keyless = PathTree(numbered.filter { !$0.route.app.hasKey || !$0.route.access.needsKey })
    }

    /// - Parameters:
    ///   - host: where the Host field's value is in `bytes`.
    ///   - key: where the `SeSACKey` field's value is.
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
        let isOpen = finding.route.map { !routes[$0].access.needsKey } ?? false
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

    /// The app that a host name is given to.
    func app(ofHost host: Range<Int>, in bytes: Span<UInt8>) -> App? {
        guard !hosts.isEmpty else { return nil }
        let name = host.map { bytes[$0].lowercased }.prefix { $0 != .colon }
        return hosts[String(decoding: name, as: UTF8.self)]
    }
}

extension RouteTable {
    static let all = [RouteTable.seatcatcher, .moup, .anlaka, .culture, .withsuhyeon]
}

extension App {
    /// Whether the app sends a `SeSACKey` with its calls.
    var hasKey: Bool { self == .anlaka || self == .culture }
}
