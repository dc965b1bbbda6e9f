import Apps
import Contracts
import NIOCore
import Testing

@testable import Gateway

struct RouterTests {
    private let router = Router(keys: ["anlaka-dev-key": .anlaka, "culture-dev-key": .culture])

    private func find(
        _ method: Method,
        _ path: String,
        key: String? = nil,
        host: String = "madang",
        router: Router? = nil
    ) throws -> Router.Finding {
        let bytes = ByteBuffer(string: host + (key ?? ""))
        let length = host.utf8.count
        return (router ?? self.router).find(
            method,
            try readTarget(path),
            host: 0..<length,
            key: key == nil ? nil : length..<bytes.readableBytes,
            in: bytes.readableBytesUInt8Span
        )
    }

    private func route(_ finding: Router.Finding) -> Route? {
        if case .route(let index) = finding { router.routes[index] } else { nil }
    }

    static let keys: [App: String] = [.anlaka: "anlaka-dev-key", .culture: "culture-dev-key"]

    @Test(arguments: App.allCases)
    func everyOperation_isFoundByItsOwnPath(_ app: App) throws {
        let catalogue = try #require(AppCatalogues.all.first { $0.app == app })
        for (name, operation) in catalogue.operations {
            let path = operation.path.split(separator: "/").map { $0.hasPrefix("{") ? "41" : String($0) }
            let found = try route(
                find(Method(operation.method), "/" + path.joined(separator: "/"), key: Self.keys[app])
            )
            #expect(found?.app == app && found?.operation == operation, "\(app).\(name)")
        }
    }

    @Test func pathOfTwoApps_belongsToAppOfKey() throws {
        #expect(try route(find(.get, "/v1/posts/1", key: "anlaka-dev-key"))?.app == .anlaka)
        #expect(try route(find(.get, "/v1/posts/1", key: "culture-dev-key"))?.app == .culture)
    }

    @Test(arguments: ["/v1/posts/1", "/v1/nothing", "/event-application", "/socket.io/"])
    func pathsOfAppsWithKey_requireKey(_ path: String) throws {
        for key in [nil, "", "anlaka-dev-ke", "anlaka-dev-keyy"] {
            guard case .nothing(_, .appKey) = try find(.get, path, key: key) else {
                Issue.record("\(path) was found with the key \(key ?? "-")")
                continue
            }
        }
    }

    @Test(arguments: [nil, "", "anlaka-dev-ke", "anlaka-dev-key"])
    func checkoutPage_requiresNoKey(_ key: String?) throws {
        let page = try route(find(.get, "/v1/payments/checkout/ABCD123456", key: key))
        #expect(page?.app == .anlaka && page?.operation.access == .page)
        // Other paths still require a key.
        if key != "anlaka-dev-key" { #expect(try route(find(.get, "/v1/payments/ABCD123456", key: key)) == nil) }
    }

    @Test func unknownPath_isAttributedToAppByPrefix() throws {
        func app(_ path: String, key: String? = nil) throws -> App? {
            guard case .nothing(let app, .unknown) = try find(.get, path, key: key) else { return .seatcatcher }
            return app
        }
        #expect(try app("/nothing") == nil)
        #expect(try app("/alarms/x/y/z") == .seatcatcher)
        #expect(try app("/workplaces/1/nothing") == .moup)
        #expect(try app("/api/v1/nothing") == .withsuhyeon)
        #expect(try app("/nothing", key: "culture-dev-key") == .culture)
        #expect(try app("/internal/keys") == nil)
        #expect(try app("/stations//7") == .seatcatcher)
    }

    @Test func otherMethod_listsAllowedMethods() throws {
        guard case .nothing(let app, .method(let methods)) = try find(.put, "/user/me") else {
            Issue.record("PUT /user/me was found")
            return
        }
        #expect(app == .seatcatcher)
        #expect(Set(methods) == [.get, .patch, .delete])
    }

    @Test func head_findsRouteOfGet() throws {
        #expect(try route(find(.head, "/stations"))?.operation.path == "/stations")
    }

    @Test func literalSegment_precedesParameter_ifItMatches() throws {
        #expect(try route(find(.get, "/routines/today"))?.operation.path == "/routines/today")
        #expect(try route(find(.get, "/routines/7"))?.operation.path == "/routines/{routineId}")
        // `join` takes POST only, so this is the workplace called `join`.
        #expect(try route(find(.get, "/workplaces/join"))?.operation.path == "/workplaces/{workplaceId}")
        #expect(try route(find(.delete, "/alarms/notifications"))?.app == .moup)
        #expect(try route(find(.delete, "/alarms/7"))?.app == .seatcatcher)
    }

    @Test func emptySegment_matchesNoParameter() throws {
        #expect(try route(find(.get, "/stations//7")) == nil)
        #expect(try route(find(.get, "/v1/data/posts//x", key: "anlaka-dev-key")) == nil)
    }

    @Test func host_selectsApp() throws {
        let router = Router(
            hosts: ["moup.example": .moup, "estate.example": .anlaka],
            keys: ["anlaka-dev-key": .anlaka, "culture-dev-key": .culture]
        )
        func finding(_ path: String, _ host: String, key: String? = nil) throws -> String {
            switch try find(.get, path, key: key, host: host, router: router) {
            case .route(let index): router.routes[index].app.rawValue
            case .nothing(let app, .unknown): "unknown \(app?.rawValue ?? "-")"
            case .nothing(let app, .appKey): "key \(app?.rawValue ?? "-")"
            case .nothing(_, .method): "method"
            }
        }
        #expect(try finding("/home", "MOUP.example:8080") == "moup")
        #expect(try finding("/stations", "moup.example") == "unknown moup")
        #expect(try finding("/v1/posts/1", "estate.example") == "key anlaka")
        #expect(try finding("/v1/posts/1", "estate.example", key: "culture-dev-key") == "key anlaka")
        #expect(try finding("/v1/posts/1", "estate.example", key: "anlaka-dev-key") == "anlaka")
    }

    @Test func internalPaths_haveNoRoute() {
        for route in router.routes { #expect(!route.operation.path.hasPrefix("/internal")) }
    }
}
