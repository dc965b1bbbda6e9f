import Apps
import Authentication
import Contracts
import FoundationEssentials
import Hummingbird
import HummingbirdTesting
import Logging
import ServiceKit
import ServiceLifecycle
import TestKit
import Testing

@Suite(.timeLimit(.minutes(1))) struct ServiceHostTests {
    private struct Body: Codable {
        var name: String
        var count: Int
        var nested: [Inner]?

        struct Inner: Codable { var on: Bool }
    }

    private static let apiDocument = #"{"openapi":"3.1.0","paths":{"/a":{}}}"#

    private struct Defect: Error {}

    private func application(
        deadline: Duration = .seconds(5),
        checks: [ServiceHost.Check] = [],
        shutdown: ShutdownNotice? = nil
    ) throws -> some ApplicationProtocol {
        var configuration = HostConfiguration(.seats, port: 0)
        configuration.requestDeadline = deadline
        configuration.bodyLimit = 1024
        if let shutdown { configuration.shutdown = shutdown }
        return try ServiceHost.application(
            "test",
            configuration: configuration,
            apiDocument: Array(Self.apiDocument.utf8),
            services: [],
            checks: checks,
            logger: .quiet,
            prepare: {},
            routes: { router in
                let app = router.app(.seatcatcher)
                app.get("open") { _, context in "\(context.app?.rawValue ?? "-")" }
                app.signedIn.get("mine") { _, context in "\(context.account) \(context.session)" }
                app.post("echo") { request, context in try Response.json(await request.json(Body.self, context)) }
                app.post("maybe") { request, context in
                    try Response.json(await request.jsonIfAny(Body.self, context).map { [$0] } ?? [])
                }
                app.get("defect") { _, _ -> String in throw Defect() }
                app.get("slow") { _, _ in
                    try await Task.sleep(for: .seconds(60))
                    return "late"
                }
                router.app(.anlaka).get("open") { _, _ in "anlaka's" }
                router.on(.get, "internal/fact", from: .auth, .stack) { _, context in
                    context.identity?.caller.rawValue ?? "-"
                }
            }
        )
    }

    private static let phone = InternalIdentity(caller: .gateway, app: .seatcatcher)

    /// The headers of a request to this service.
    private func headers(
        _ path: String,
        _ method: HTTPRequest.Method = .get,
        of identity: InternalIdentity = Self.phone
    ) -> HTTPFields {
        [.internalIdentity: identity.signed(method.rawValue, path, to: .seats)]
    }

    @Test func routes_areSeparatePerApp() async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: "/open", method: .get, headers: headers("/open")) { response in
                #expect(String(buffer: response.body) == "seatcatcher")
            }
            let anlaka = headers("/open", of: InternalIdentity(caller: .gateway, app: .anlaka))
            try await client.execute(uri: "/open", method: .get, headers: anlaka) { response in
                #expect(String(buffer: response.body) == "anlaka's")
            }
            let moup = headers("/open", of: InternalIdentity(caller: .gateway, app: .moup))
            try await client.execute(uri: "/open", method: .get, headers: moup) { response in
                #expect(response.status == .notFound)
            }
        }
    }

    /// The status of a request for `/internal/fact`.
    private func status(
        _ identity: String?,
        _ method: HTTPRequest.Method = .get,
        query: String = ""
    ) async throws -> Int {
        var headers = HTTPFields()
        headers[.internalIdentity] = identity
        return try await application().test(.router) { [headers] client in
            try await client.execute(uri: "/internal/fact\(query)", method: method, headers: headers) { $0.status.code }
        }
    }

    @Test func forgedOrMissingIdentity_returns403() async throws {
        try await application().test(.router) { client in
            let person = InternalIdentity(caller: .gateway, app: .seatcatcher, account: 1, session: "s")
            for path in ["/open", "/seatcatcher/open", "/internal/fact", "/seatcatcher/mine"] {
                // Chat's key, with which it cannot speak for the gateway.
                let key = InternalKeys.development(.chat).key(to: .seats)
                let forged = person.signed("GET", path, with: key, now: Int64(Date.now.timeIntervalSince1970))
                for headers in [HTTPFields(), [.internalIdentity: forged], [.internalIdentity: "2.gateway"]] {
                    try await client.execute(uri: path, method: .get, headers: headers) { response in
                        #expect(response.status == .forbidden)
                    }
                }
            }
        }
    }

    /// The caller's clock is behind or ahead of the service's.
    @Test(arguments: [(-50.0, 200), (50, 200), (-120, 403), (120, 403)])
    func callerClock_mayDifferByAMinute(difference: Double, status expected: Int) async throws {
        let auth = InternalIdentity(caller: .auth)
        let value = auth.signed("GET", "/internal/fact", to: .seats, now: Date.now.addingTimeInterval(difference))
        #expect(try await status(value) == expected)
    }

    @Test func identityOfOtherRequest_returns403() async throws {
        let auth = InternalIdentity(caller: .auth)
        let value = auth.signed("GET", "/internal/fact", to: .seats)
        #expect(try await status(value) == 200)
        #expect(try await status(value, .post) == 403)
        #expect(try await status(value, query: "?a=b") == 403)
        #expect(try await status("\(value), \(value)") == 403)
        #expect(try await status(auth.signed("GET", "/internal/fact", to: .chat)) == 403)
        #expect(try await status(auth.signed("GET", "/internal/fact?a=b", to: .seats), query: "?a=b") == 200)
        // A HEAD is no GET.
        #expect(try await status(auth.signed("HEAD", "/internal/fact", to: .seats), .head) == 200)
        #expect(try await status(value, .head) == 403)
    }

    @Test(arguments: ProgramName.allCases) func internalRoute_isForItsCallers(caller: ProgramName) async throws {
        let value = InternalIdentity(caller: caller).signed("GET", "/internal/fact", to: .seats)
        #expect(try await status(value) == ([.auth, .stack].contains(caller) ? 200 : 403))
    }

    @Test func appAndInternalRoutes_areSeparate() async throws {
        try await application().test(.router) { client in
            let (fact, open) = ("/internal/fact", "/seatcatcher/open")
            try await client.execute(uri: fact, method: .get, headers: headers(fact)) { response in
                #expect(response.status == .notFound)
            }
            let process = InternalIdentity(caller: .auth)
            try await client.execute(uri: fact, method: .get, headers: headers(fact, of: process)) { response in
                #expect(String(buffer: response.body) == "auth")
            }
            for caller in [ProgramName.auth, .gateway].map({ InternalIdentity(caller: $0) }) {
                try await client.execute(uri: open, method: .get, headers: headers(open, of: caller)) { response in
                    #expect(response.status == .forbidden)
                }
            }
        }
    }

    @Test func signedInRoute_withoutAccount_returns401() async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: "/mine", method: .get, headers: headers("/mine")) { response in
                #expect(response.status == .unauthorized)
            }
            let person = InternalIdentity(caller: .gateway, app: .seatcatcher, account: 7, session: "s9")
            try await client.execute(uri: "/mine", method: .get, headers: headers("/mine", of: person)) { response in
                #expect(String(buffer: response.body) == "7 s9")
            }
        }
    }

    @Test(arguments: [
        ("", "not valid JSON"), ("{", "not valid JSON"), ("{}", "name is required"), ("[]", "must be"),
        (#"{"name":1,"count":1}"#, "name must be a string"),
        (#"{"name":"a","count":"x"}"#, "count must be a whole number"),
        (#"{"name":"a","count":1.5}"#, "number that is not whole"),
        (#"{"name":null,"count":1}"#, "name must not be null"),
        (#"{"name":"a","count":1,"nested":[{"on":true},{"on":3}]}"#, "nested[1].on must be true or false"),
        (#"{"name":"a","count":99999999999999999999}"#, "too large"),
    ])
    func invalidBody_namesField(body: String, message: String) async throws {
        try await application().test(.router) { client in
            let buffer = ByteBuffer(string: body)
            try await client.execute(uri: "/echo", method: .post, headers: headers("/echo", .post), body: buffer) {
                response in
                #expect(response.status == .badRequest)
                #expect(String(buffer: response.body).contains(message))
            }
        }
    }

    @Test(arguments: [("", []), (#"{"name":"a","count":1}"#, ["a"])])
    func optionalBody_mayBeEmpty(body: String, names: [String]) async throws {
        try await application().test(.router) { client in
            let buffer = ByteBuffer(string: body)
            let answer = try await client.execute(
                uri: "/maybe",
                method: .post,
                headers: headers("/maybe", .post),
                body: buffer
            ) {
                $0
            }
            #expect(try answer.json([Body].self).map(\.name) == names)
            try await client.execute(
                uri: "/maybe",
                method: .post,
                headers: headers("/maybe", .post),
                body: ByteBuffer(string: "{")
            ) {
                #expect($0.status == .badRequest)
            }
        }
    }

    @Test func bodyBeyondLimit_returns413() async throws {
        try await application().test(.router) { client in
            let name = String(repeating: "x", count: 2000)
            let body = ByteBuffer(string: #"{"name":"\#(name)","count":1}"#)
            try await client.execute(uri: "/echo", method: .post, headers: headers("/echo", .post), body: body) {
                response in
                #expect(response.status == .contentTooLarge)
            }
        }
    }

    @Test func unexpectedError_returns500WithoutDetails() async throws {
        try await application().test(.router) { client in
            try await client.execute(uri: "/defect", method: .get, headers: headers("/defect")) { response in
                #expect(response.status == .internalServerError)
                #expect(!String(buffer: response.body).contains("Defect"))
                #expect(String(buffer: response.body).contains(response.headers[.requestID] ?? "missing"))
            }
        }
    }

    @Test func slowRequest_returns503AtDeadline() async throws {
        try await application(deadline: .milliseconds(50)).test(.router) { client in
            try await client.execute(uri: "/slow", method: .get, headers: headers("/slow")) { response in
                #expect(response.status == .serviceUnavailable)
                #expect(response.headers[.retryAfter] == "1")
            }
        }
    }

    @Test func unknownRouteOrMethod_isRefusedInFormatOfApp() async throws {
        try await application().test(.router) { client in
            let keyed = headers("/nowhere", of: InternalIdentity(caller: .gateway, app: .anlaka))
            try await client.execute(uri: "/nowhere", method: .get, headers: keyed) { response in
                #expect(response.status.code == 444)
            }
            try await client.execute(uri: "/open", method: .delete, headers: headers("/open", .delete)) { response in
                #expect(response.status == .notFound || response.status == .methodNotAllowed)
            }
        }
    }

    @Test func readiness_followsChecks() async throws {
        try await application().test(.router) { client in
            for path in ["/healthz", "/readyz", "/metrics"] {
                try await client.execute(uri: path, method: .get) { #expect($0.status == .ok) }
            }
        }
        let failing = ServiceHost.Check("database") { throw Defect() }
        try await application(checks: [failing]).test(.router) { client in
            try await client.execute(uri: "/healthz", method: .get) { #expect($0.status == .ok) }
            try await client.execute(uri: "/readyz", method: .get) { response in
                #expect(response.status == .serviceUnavailable)
                #expect(String(buffer: response.body) == "database is not ready")
            }
        }
    }

    @Test func endingService_isNotReadyAndServes() async throws {
        /// What runs until the notice is over.
        struct Server: Service {
            let hasStarted = AsyncStream<Void>.makeStream()

            func run() async throws {
                hasStarted.continuation.finish()
                try await gracefulShutdown()
                Issue.record("the notice is not over")
            }
        }
        let (server, shutdown) = (Server(), ShutdownNotice(lasting: .seconds(600)))
        let group = ServiceGroup(services: [server, shutdown], logger: .quiet)
        try await application(shutdown: shutdown).test(.router) { client in
            let running = Task { try await group.run() }
            for await _ in server.hasStarted.stream {}
            try await client.execute(uri: "/readyz", method: .get) { #expect($0.status == .ok) }
            await group.triggerGracefulShutdown()
            try await eventually { shutdown.hasBegun }
            try await client.execute(uri: "/readyz", method: .get) { #expect($0.status == .serviceUnavailable) }
            try await client.execute(uri: "/healthz", method: .get) { #expect($0.status == .ok) }
            running.cancel()
            _ = await running.result
        }
    }

    @Test func apiDocument_isServedAsJSON() async throws {
        try await application().test(.router) { client in
            let process = headers("/internal/openapi.json", of: InternalIdentity(caller: .gateway))
            try await client.execute(uri: "/internal/openapi.json", method: .get, headers: process) { response in
                #expect(response.headers[.contentType] == "application/json")
                #expect(String(buffer: response.body) == Self.apiDocument)
            }
        }
    }
}
