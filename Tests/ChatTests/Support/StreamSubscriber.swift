import Authentication
import Contracts
import FoundationEssentials
import HummingbirdTesting
import NIOCore
import Sockets
import TestKit

@testable import Chat

/// A client on the STOMP stream, authenticated as by the gateway.
struct StreamSubscriber: Sendable {
    let client: STOMPClient

    static func path(of app: App) -> String { app == .anlaka ? "/v1/chats/stream" : "/api/v1/chatrooms/stream" }

    /// - Parameter account: nil without authentication.
    static func connect(
        _ world: ChatWorld,
        _ account: AccountID?,
        session: String = "session"
    ) async throws -> StreamSubscriber {
        let url = "ws://127.0.0.1:\(world.client.port ?? 0)\(path(of: world.app))"
        let handshake = [identity(account, of: world.app, session: session)]
        return StreamSubscriber(client: try await STOMPClient.connect(url, handshake: handshake))
    }

    static func identity(_ account: AccountID?, of app: App, session: String = "session") -> (String, String) {
        let identity = InternalIdentity(
            caller: .gateway,
            app: app,
            account: account,
            session: account == nil ? nil : session
        )
        return (InternalIdentity.header, identity.signed("GET", path(of: app), to: .chat))
    }

    /// Subscribes to a room; returns when the past events have been sent.
    func listen(_ room: String, after: String? = nil, id: String? = nil) async throws -> StreamEars {
        let headers = after.map { [("after", $0)] } ?? []
        return StreamEars(try await client.subscribe("/topic/rooms.\(room)", id: id, headers: headers))
    }

    func listen(_ room: String, after: Int) async throws -> StreamEars { try await listen(room, after: String(after)) }

    /// Sends a message and returns when it is confirmed.
    func write(_ text: String, as clientID: String, in room: String) async throws {
        try await client.send("/app/rooms.\(room)", text, headers: [("client-id", clientID)])
    }
}

/// The events of a subscription, in order.
struct StreamEars {
    struct Event: Decodable, Equatable {
        struct Message: Decodable, Equatable {
            var content: String
            var clientID: String?
            /// The sender, in Anlaka's messages.
            var sender: [String: String]?
            /// `SEND` or `RECEIVE`, in With Suhyeon's messages.
            var direction: String?

            enum CodingKeys: String, CodingKey {
                case content, sender
                case clientID = "client_id"
                case direction = "type"
            }
        }

        var sequence: Int64
        var type: String
        var message: Message
    }

    private var frames: AsyncThrowingStream<STOMPFrame, any Error>.Iterator

    init(_ frames: AsyncThrowingStream<STOMPFrame, any Error>) { self.frames = frames.makeAsyncIterator() }

    /// The next message of a kind; nil when the subscription has ended. Messages of other kinds are skipped.
    mutating func next(_ kind: String) async throws -> String? {
        while let frame = try await frames.next(isolation: #isolation) {
            if frame.headers["kind"] == kind { return String(buffer: frame.body) }
        }
        return nil
    }

    /// The kinds of the messages before the next message of a kind.
    mutating func kinds(before last: String) async throws -> [String] {
        var kinds: [String] = []
        while let kind = try await frames.next(isolation: #isolation)?.headers["kind"], kind != last {
            kinds.append(kind)
        }
        return kinds
    }

    /// The next events.
    mutating func events(_ count: Int) async throws -> [Event] {
        var events: [Event] = []
        while events.count < count, let body = try await next("event") {
            events.append(try JSONDecoder().decode(Event.self, from: Data(body.utf8)))
        }
        return events
    }
}
