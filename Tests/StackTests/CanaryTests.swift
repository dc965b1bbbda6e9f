import AppClients
import Apps
import FoundationEssentials
import Postgres
import PostgresServer
import TestKit
import Testing

@testable import Moves
@testable import Stack
@testable import StackKit

/// What people type, and what phones hold, is in no trace, log or metric.
@Suite(.timeLimit(.minutes(10))) struct CanaryTests {
    /// In every value that must not be found.
    private static let canary = "kanarienvogel7"

    @Test func secretsOfPhones_areInNoTrace_noLogAndNoMetric() async throws {
        try await StackFixture.run { fixture in
            let up = try await fixture.run("up", variables: ["TRACES_KEPT": "1", "LOG_LEVEL": "debug"])
            try #require(up.isSuccess, "\(up.text)")
            let gateway = "http://127.0.0.1:\(fixture.port("GATEWAY_PORT"))"
            try await Self.play(gateway)
            try await Self.probe(gateway)
            let stored = try await Self.traces(fixture)
            #expect(stored.count > 50)
            for trace in stored where trace.contains(Self.canary) { Issue.record("\(trace)") }
            for name in fixture.names + [Supervisor.name] {
                let log = (try? String(contentsOfFile: fixture.folder.log(of: name), encoding: .utf8)) ?? ""
                let lines = log.split(separator: "\n").filter { $0.contains(Self.canary) }
                #expect(lines == [], "\(name)")
            }
            let admin = HTTPTransport("http://127.0.0.1:\(fixture.port("GATEWAY_ADMIN_PORT"))")
            let metrics = try await admin.send(.get, "/metrics").body
            #expect(metrics.contains("gateway_requests_total") && !metrics.contains(Self.canary))
        }
    }

    /// A user of Anlaka signs up, signs in wrongly, writes to another one, and has what cannot be stored refused.
    private static func play(_ gateway: String) async throws {
        let one = SeSACAccount(email: "\(canary)@example.com", password: "\(canary)2025!", nick: "가나")
        let other = SeSACAccount(email: "\(canary)2@example.com", password: "\(canary)2026!", nick: "다라")
        let (app, peer): (AnlakaClient, AnlakaClient) = (
            SeSACClient(gateway, key: "anlaka-dev-key"), SeSACClient(gateway, key: "anlaka-dev-key")
        )
        try await app.join(one)
        try await peer.join(other)
        _ = try? await app.signIn(SeSACAccount(email: one.email, password: "\(canary)-wrong", nick: one.nick))
        try await app.signIn(one)
        _ = try await app.registerDevice("\(canary)-device")
        let room = try await app.send(\.openChatRoom, body: ["opponent_id": .string(peer.id)]).json().text("room_id")
        let socket = try await peer.chat(room)
        for text in ["\(canary) hello", String(repeating: canary, count: 20_000), "\(canary)\u{0}"] {
            _ = try await app.write(text, in: room)
        }
        _ = try await socket.next { $0.contains("hello") }
        _ = try await app.comment(canary, on: String(repeating: "0", count: 24))
    }

    /// Requests with a secret in each place where one may be, which are refused.
    private static func probe(_ gateway: String) async throws {
        let secret = canary
        let transport = HTTPTransport(gateway)
        let headers = [
            "Authorization": "Bearer \(secret)", "Cookie": "session=\(secret)", "User-Agent": secret, "Referer": secret,
            "SeSACKey": secret, "Access-Token": secret, "X-Request-Id": secret, "X-Forwarded-For": secret,
            "tracestate": "a=\(secret)", "baggage": "a=\(secret)", "Idempotency-Key": secret, "RefreshToken": secret,
            "Origin": "https://\(secret).example", "If-None-Match": "\"\(secret)\"",
        ]
        for path in [
            "/stations?keyword=\(secret)", "/v1/estates/geolocation?longitude=\(secret)&latitude=\(secret)",
            "/users/me",
            "/docs?\(secret)", "/openapi.json?app=\(secret)",
        ] {
            _ = try? await transport.send(.get, path, headers: headers)
        }
        let body = #"{"accessToken":"\#(secret)","authCode":"\#(secret)","email":"\#(secret)","password":"\#(secret)"}"#
        for operation in [Anlaka().signIn, Culture().signIn, SeatCatcher().signInWithKakao, MOUP().signIn] {
            for text in [body, "\(secret){", #""\#(secret)""#] {
                _ = try? await transport.send(operation.method, operation.path, headers: headers, body: .text(text))
            }
        }
    }

    /// The spans that the console has stored, once what was played has arrived there.
    private static func traces(_ fixture: StackFixture) async throws -> [String] {
        let server = try PostgresServer(directory: fixture.folder.postgres)
        let url = try ServerURL(server.adminURL(database: Database.name))
        return try await Administrator(url: url, name: "test").connect { database in
            try await eventually("a message's spans are stored") {
                let name = "write messages"
                return try await database.one(
                    "SELECT count(*) > 0 FROM console.spans WHERE spans @> jsonb_build_array(jsonb_build_object('name', \(name)))"
                ) { try $0.decode(Bool.self) }
            }
            let spans = try await database.all("SELECT spans::text FROM console.spans") { try $0.decode(String.self) }
            let subjects = try await database.all("SELECT kind || value FROM console.subjects") {
                try $0.decode(String.self)
            }
            return spans + subjects
        }
    }
}
