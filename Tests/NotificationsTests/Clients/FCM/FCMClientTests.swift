import AsyncHTTPClient
import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import TestKit
import Testing

@testable import Notifications
@testable import Sandbox

/// The FCM client against the sandbox.
@Suite(.timeLimit(.minutes(1)))
struct FCMClientTests {
    private struct World {
        let sandbox: any TestClientProtocol
        let clock = ManualClock()
        let client: FCMClient

        init(_ sandbox: any TestClientProtocol, credentials: String? = nil, timeout: Duration = .seconds(5)) {
            self.sandbox = sandbox
            let url = "http://127.0.0.1:\(sandbox.port ?? 0)"
            let pattern = credentials ?? "\(url)/_control/fcm/service-accounts/madang-*"
            client = FCMClient(
                url: "\(url)/fcm",
                credentials: FCMCredentials(pattern: pattern),
                timeout: timeout,
                http: .shared,
                now: { [clock] in clock.now }
            )
        }

        func pull(_ path: String, _ json: String) async throws {
            let headers: HTTPFields = [.contentType: "application/json"]
            let body = ByteBuffer(string: json)
            try await sandbox.execute(uri: "/_control/\(path)", method: .post, headers: headers, body: body) {
                #expect($0.status.kind == .successful, "\(path): \($0.text)")
            }
        }

        /// The count of calls to a path of FCM.
        func calls(_ path: String) async throws -> Int {
            struct Calls: Decodable {
                struct Call: Decodable { var path: String }
                var calls: [Call]
            }
            return try await sandbox.execute(uri: "/_control/calls?provider=fcm", method: .get) {
                try $0.json(Calls.self).calls.count { $0.path.hasSuffix(path) }
            }
        }

        func arrived(on token: String) async throws -> [String] {
            struct Record: Decodable {
                struct Message: Decodable { var body: String }
                var messages: [Message]
            }
            return try await sandbox.execute(uri: "/_control/push?token=\(token)", method: .get) {
                try $0.json(Record.self).messages.map(\.body)
            }
        }
    }

    private func test(_ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        var configuration = SandboxConfiguration()
        configuration.port = 0
        configuration.portOneWebhookURL = ""
        try await buildSandbox(configuration, logger: .quiet).test(.live, body)
    }

    private func push(_ body: String, to token: String = "phone", of app: App = .anlaka) -> Push {
        Push(
            id: 1,
            device: 1,
            revision: 0,
            app: app,
            account: 1,
            token: token,
            message: UUID(),
            content: PushContent(
                kind: PushKind.chatMessage,
                subtitle: "하루",
                body: body,
                data: ["room_id": "a1"],
                thread: "a1",
                collapse: "a1-1"
            ),
            sender: nil,
            badge: 1,
            createdAt: .now,
            attempts: 0
        )
    }

    @Test
    func accessToken_isSharedAndRenewedBeforeExpiry() async throws {
        try await test { sandbox in
            let world = World(sandbox)
            let outcomes = await withTaskGroup(of: PushOutcome.self) { group in
                for number in 0..<20 { group.addTask { await world.client.send(push("\(number)")) } }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(outcomes == Array(repeating: .sent, count: 20))
            let asked = try await world.calls("/oauth2/token")
            #expect(asked == 1)
            // No push waits for the next token while this one is valid.
            world.clock.advance(by: 3400)
            let later = await world.client.send(push("later"))
            #expect(later == .sent)
            while try await world.calls("/oauth2/token") < 2 { try await Task.sleep(for: .milliseconds(10)) }
            let arrived = try await world.arrived(on: "phone")
            #expect(arrived.count == 21)
        }
    }

    @Test
    func send_usesProjectOfApp() async throws {
        try await test { sandbox in
            let world = World(sandbox)
            for app in App.allCases {
                let outcome = await world.client.send(push("text", to: app.rawValue, of: app))
                #expect(outcome == .sent)
                let calls = try await world.calls("projects/madang-\(app.rawValue)/messages:send")
                #expect(calls == 1)
            }
        }
    }

    @Test
    func expiredAccessToken_isRenewed_andPushSent() async throws {
        try await test { sandbox in
            let world = World(sandbox)
            _ = await world.client.send(push("first"))
            try await world.pull("fcm/tokens/expire", "{}")
            let outcome = await world.client.send(push("second"))
            #expect(outcome == .sent)
            let arrived = try await world.arrived(on: "phone")
            #expect(arrived == ["second", "first"])
        }
    }

    @Test
    func errorResponses_mapToOutcomes() async throws {
        try await test { sandbox in
            let world = World(sandbox)
            let answers: [(String, PushOutcome)] = [
                (#"{"error":"UNREGISTERED"}"#, .gone),
                (#"{"error":"SENDER_ID_MISMATCH"}"#, .gone),
                (#"{"error":"INVALID_ARGUMENT"}"#, .gone),
                (#"{"error":"QUOTA_EXCEEDED","retry_after":7}"#, .later("429 QUOTA_EXCEEDED", after: 7)),
                (#"{"error":"UNAVAILABLE","retry_after":9}"#, .later("503 UNAVAILABLE", after: 9)),
                (#"{"error":"INTERNAL"}"#, .later("500 INTERNAL")),
                (#"{"error":"THIRD_PARTY_AUTH_ERROR"}"#, .platformRejected("401 THIRD_PARTY_AUTH_ERROR")),
                ("{}", .sent),
            ]
            for (lever, expected) in answers {
                try await world.pull("push/tokens/phone", lever)
                let outcome = await world.client.send(push("text"))
                #expect(outcome == expected, "\(lever)")
            }
        }
    }

    @Test
    func unavailableFCM_isRetriedLater() async throws {
        try await test { sandbox in
            let world = World(sandbox, timeout: .milliseconds(300))
            _ = await world.client.send(push("first"))
            try await world.pull("faults", #"{"provider":"fcm","kind":"timeout","count":1}"#)
            let late = await world.client.send(push("second"))
            guard case .later = late else { return #expect(Bool(false), "\(late)") }
            try await world.pull("faults", #"{"provider":"fcm","kind":"http","status":502,"count":1}"#)
            let broken = await world.client.send(push("third"))
            guard case .later = broken else { return #expect(Bool(false), "\(broken)") }
        }
        let nowhere = FCMClient(
            url: "http://127.0.0.1:9/fcm",
            credentials: FCMCredentials(pattern: "http://127.0.0.1:9/*"),
            timeout: .seconds(1),
            http: .shared,
            now: { .now }
        )
        guard case .later = await nowhere.send(push("text")) else { return #expect(Bool(false)) }
    }

    @Test
    func credentials_missingFileIsSkipped_andInvalidFileThrows() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "firebase-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pattern = folder.path() + "/firebase-*.json"
        try await test { sandbox in
            let console = "http://127.0.0.1:\(sandbox.port ?? 0)/_control/fcm/service-accounts/madang-moup"
            let answer = try await HTTPClient.shared.execute(HTTPClientRequest(url: console), timeout: .seconds(5))
            let account = Data(try await answer.body.collect(upTo: 1 << 16).readableBytesView)
            try account.write(to: folder.appending(path: "firebase-moup.json"))
            try Data(#"{"type":"service_account"}"#.utf8).write(to: folder.appending(path: "firebase-anlaka.json"))
            #expect(FCMCredentials(pattern: pattern).apps == [.moup, .anlaka])
            let world = World(sandbox, credentials: pattern)
            let moup = await world.client.send(push("text", of: .moup))
            #expect(moup == .sent)
            let anlaka = await world.client.send(push("text"))
            guard case .misconfigured = anlaka else { return #expect(Bool(false), "\(anlaka)") }
            let culture = await world.client.send(push("text", of: .culture))
            guard case .refused = culture else { return #expect(Bool(false), "\(culture)") }
        }
    }
}
