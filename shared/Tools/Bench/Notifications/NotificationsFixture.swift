import AppClients
import AsyncHTTPClient
import Authentication
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1
import PostgresServer
import StackKit

/// Chat, notifications, and the sandbox that emulates FCM, on free loopback ports.
struct NotificationsFixture: Sendable {
    private let sandbox: ServiceFixture
    private let notifications: ServiceFixture
    private let chat: ServiceFixture

    /// FCM's latency, in milliseconds.
    static let latency = 20
    private static let project = "madang-anlaka"

    init(_ database: Database) throws {
        let ports = try FreePort.find(3)
        sandbox = ServiceFixture(name: "sandbox", port: ports[0], databaseURL: "")
        let sandbox = "http://127.0.0.1:\(ports[0])"
        notifications = ServiceFixture(
            name: "notifications",
            port: ports[1],
            databaseURL: try database.url(role: "notifications"),
            environment: [
                "AUTH_URL": ServiceFixture.closedURL, "FCM_URL": "\(sandbox)/fcm",
                "FCM_CREDENTIALS": "\(sandbox)/_control/fcm/service-accounts/madang-*",
            ]
        )
        chat = ServiceFixture(
            name: "chat",
            port: ports[2],
            databaseURL: try database.url(role: "chat"),
            environment: [
                "AUTH_URL": ServiceFixture.closedURL, "COMMUNITY_URL": ServiceFixture.closedURL,
                "NOTIFICATIONS_URL": "http://127.0.0.1:\(ports[1])",
            ]
        )
    }

    /// Runs the three programs while `body` runs.
    func withPrograms<Value: Sendable>(
        _ bench: BenchContext,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await sandbox.withService(bench) {
            try await notifications.withService(bench) { try await chat.withService(bench, body) }
        }
    }

    /// Sets FCM's latency.
    func setLatency() async throws {
        _ = try await send(.POST, sandbox, "/_control/fcm/latency", json: #"{"ms":\#(Self.latency)}"#)
    }

    // MARK: Events

    /// Posts a message in one of the dataset's rooms.
    ///
    /// - Returns: The time of the commit.
    func write(_ text: String, in room: Int) async throws -> Date {
        let path = "/v1/chats/\(ChatDataset.publicID(room))"
        let account = ChatDataset.account(room)
        let identity = ServiceFixture.identity(of: account, in: .anlaka, "POST", path, to: .chat)
        let json = #"{"content":"\#(text)","files":[]}"#
        _ = try await send(.POST, chat, path, identity: identity, json: json)
        return .now
    }

    /// A batch of events in the format of chat's relay.
    static func batch(of messages: [ChatEvents.MessageSent]) throws -> String {
        let encoder = JSONEncoder()
        let events = try messages.map { message in
            let body = String(decoding: try encoder.encode(message), as: UTF8.self)
            return #"{"id":"\#(UUID())","name":"\#(ChatEvents.MessageSent.name)","body":\#(body)}"#
        }
        return #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    /// Delivers events to notifications, like chat's relay.
    func deliver(_ batch: String) async throws {
        let path = "/internal/events"
        let identity = ServiceFixture.sign(InternalIdentity(caller: .chat), "POST", path, to: .notifications)
        _ = try await send(.POST, notifications, path, identity: identity, json: batch)
    }

    // MARK: Arrivals

    /// The number of messages received by FCM.
    func arrivedCount() async throws -> Int {
        Int(try await sandboxClient.get("push/summary").json().number("messages"))
    }

    func removeArrivals() async throws {
        _ = try await send(.DELETE, sandbox, "/_control/push")
    }

    /// The arrival times of the newest messages at FCM, by their text.
    func arrivals(newest count: Int) async throws -> [String: Date] {
        struct Record: Decodable {
            struct Message: Decodable {
                var body: String?
                var at: String
            }
            var messages: [Message]
        }
        let body = try await send(.GET, sandbox, "/_control/push?limit=\(count)")
        let record = try JSONDecoder().decode(Record.self, from: Data(body.readableBytesView))
        var arrivals: [String: Date] = [:]
        for message in record.messages {
            arrivals[message.body ?? ""] = try Date(
                message.at,
                strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            )
        }
        return arrivals
    }

    // MARK: Reference

    /// Sends messages directly to FCM.
    ///
    /// - Parameter senders: The number of concurrent senders, each sending sequentially.
    /// - Returns: Messages per second.
    func sendDirectly(_ count: Int, senders: Int) async throws -> Double {
        let token = try await accessToken()
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = senders
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let url = "http://127.0.0.1:\(sandbox.port)/fcm/v1/projects/\(Self.project)/messages:send"
        let text =
            #"{"message":{"token":"direct","notification":{"title":"하루","body":"안녕하세요"},"data":{"room_id":"a1"}}}"#
        let start = ContinuousClock.now
        do {
            try await withThrowingTaskGroup { group in
                for _ in 0..<senders {
                    group.addTask {
                        for _ in 0..<count / senders {
                            var request = HTTPClientRequest(url: url)
                            request.method = .POST
                            request.headers = ["authorization": "Bearer \(token)", "content-type": "application/json"]
                            request.body = .bytes(ByteBuffer(string: text))
                            let answer = try await client.execute(request, timeout: .seconds(30))
                            _ = try await answer.body.collect(upTo: 1 << 16)
                            guard answer.status == .ok else { throw StackError("FCM answers \(answer.status.code)") }
                        }
                    }
                }
                try await group.waitForAll()
            }
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private func accessToken() async throws -> String {
        try await sandboxClient.post("fcm/tokens", ["project": "\(Self.project)"]).json().text("access_token")
    }

    private var sandboxClient: SandboxClient { SandboxClient("http://127.0.0.1:\(sandbox.port)") }

    private func send(
        _ method: HTTPMethod,
        _ service: ServiceFixture,
        _ path: String,
        identity: String? = nil,
        json: String? = nil
    ) async throws -> ByteBuffer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(service.port)\(path)")
        request.method = method
        if let identity { request.headers.add(name: InternalIdentity.header, value: identity) }
        if let json {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(string: json))
        }
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        let body = try await answer.body.collect(upTo: 1 << 28)
        guard (200..<300).contains(answer.status.code) else {
            throw StackError("\(service.name)\(path): \(answer.status.code) \(String(buffer: body))")
        }
        return body
    }
}
