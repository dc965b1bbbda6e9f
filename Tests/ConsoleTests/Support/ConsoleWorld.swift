import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Console

/// The console on the current test's database.
struct ConsoleWorld: ServiceWorld {
    static let service = ServiceName.console

    let client: any TestClientProtocol

    static func test(_ body: @escaping @Sendable (ConsoleWorld) async throws -> Void) async throws {
        try await test({ _ in }, body)
    }

    static func test(
        _ adjust: (inout ConsoleConfiguration) -> Void,
        _ body: @escaping @Sendable (ConsoleWorld) async throws -> Void
    ) async throws {
        var configuration = ConsoleConfiguration(database: TestDatabase.current.configuration)
        adjust(&configuration)
        // As when the console listens: requests of a test may come before what the start does.
        try await Retention(database: TestDatabase.current.client, space: configuration.space).run()
        try await buildConsole(configuration, logger: .quiet).test(.router) { client in
            try await body(ConsoleWorld(client: client))
        }
    }

    func program(_ name: ProgramName) -> ServiceClient { ServiceClient(client, to: .console, process: name) }

    /// Spans of one program, as it reports them.
    func report(_ spans: [StoredSpan], from program: ProgramName = .chat) async throws {
        let attribute = StoredSpan.Attribute(key: "service.name", value: .init(stringValue: program.rawValue))
        let report = TraceReport(
            resourceSpans: [
                .init(resource: .init(attributes: [attribute]), scopeSpans: [.init(spans: spans)])
            ]
        )
        let json = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
        let answer = try await self.program(program).send(.post, "/internal/traces", json: json)
        try #require(answer.status == .ok, "\(answer.text)")
    }

    // MARK: Pages

    /// A browser that is signed in.
    struct Browser: Sendable {
        let world: ConsoleWorld
        let cookie: String

        func get(_ path: String, language: String = "en") async throws -> TestResponse {
            try await world.program(.gateway).send(
                .get,
                "/internal/console/\(path)",
                headers: [.cookie: cookie, .acceptLanguage: language]
            )
        }

        /// Sends the form of a page, with what the page's session carries unless `form` is another.
        func post(_ path: String, _ fields: [String: String], form: String? = nil) async throws -> TestResponse {
            var fields = fields
            if let form { fields["form"] = form } else { fields["form"] = try await self.form }
            return try await world.post(path, fields, headers: [.cookie: cookie])
        }

        private var form: String {
            get async throws {
                let page = try await get("acts").text
                return try #require(page.firstMatch(of: /name="form" value="([^"]+)"/)).output.1.description
            }
        }
    }

    func post(_ path: String, _ fields: [String: String], headers: HTTPFields = [:]) async throws -> TestResponse {
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await program(.gateway).send(
            .post,
            "/internal/console/\(path)",
            json: try URLEncodedFormEncoder().encode(fields),
            headers: headers
        )
    }

    func invite(role: String = "look", name: String = "kim") async throws -> String {
        let json = #"{"name":"\#(name)","role":"\#(role)"}"#
        let answer = try await program(.stack).send(.post, ConsoleAPI.Invitation.path, json: json)
        try #require(answer.status == .ok, "\(answer.text)")
        let path = try answer.json(ConsoleAPI.Invitation.Answer.self).path
        return try #require(path.split(separator: "=").last.map(String.init))
    }

    func browser(role: String = "look") async throws -> Browser {
        let answer = try await post("sign-in", ["token": try await invite(role: role)])
        try #require(answer.status == .seeOther, "\(answer.text)")
        let cookie = try #require(answer.headers[.setCookie])
        #expect(cookie.contains("HttpOnly; SameSite=Strict") && cookie.contains("Path=/console;"))
        return Browser(world: self, cookie: String(cookie.prefix { $0 != ";" }))
    }
}

extension StoredSpan {
    /// A span of a trace, both by short numbers.
    init(
        _ id: Int,
        in trace: Int = 1,
        under parent: Int? = nil,
        name: String = "span",
        start: Int64 = 0,
        took: Int64 = 1,
        _ attributes: [String: String] = [:],
        isFailed: Bool = false
    ) {
        let begin = Int64(1_764_000_000_000_000_000) + start * 1_000_000
        self.init(
            traceId: Self.trace(trace),
            spanId: Self.digits(id, 16),
            parentSpanId: parent.map { Self.digits($0, 16) },
            name: name,
            kind: 2,
            startTimeUnixNano: "\(begin)",
            endTimeUnixNano: "\(begin + took * 1_000_000)",
            attributes: attributes.map { Attribute(key: $0, value: Value(stringValue: $1)) },
            status: isFailed ? Status(code: 2) : nil
        )
    }

    static func trace(_ number: Int) -> String { digits(number, 32) }

    private static func digits(_ number: Int, _ count: Int) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: count - text.count) + text
    }
}

extension Trait where Self == FixtureTrait<ConsoleWorld> {
    static var service: Self { .fixture { try await ConsoleWorld.test($0) } }
}
