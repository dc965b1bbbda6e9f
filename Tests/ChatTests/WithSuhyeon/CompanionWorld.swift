import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import Sockets
import Synchronization
import TestKit
import Testing

@testable import Chat

/// Chat of With Suhyeon: accounts 1 and 2 ask about posts 70 and 71 of account 9.
struct CompanionWorld: ServiceWorld {
    static let service = ServiceName.chat

    let chat: ChatWorld
    let stubs: CompanionStubs
    let url: String

    var client: any TestClientProtocol { chat.client }

    static func test(
        _ adjust: @escaping @Sendable (inout ChatConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (CompanionWorld) async throws -> Void
    ) async throws {
        let stubs = CompanionStubs()
        stubs.state.withLock { state in
            for account in [1, 2, 9] as [AccountID] {
                state.tickets[TicketID(rawValue: account.rawValue + 1000)] = AuthAPI.Ticket(
                    account: account,
                    session: "session-\(account)"
                )
            }
            for post in [70, 71] as [CompanionPostID] {
                state.posts.append(.init(id: post, author: 9, title: "글 \(post)", region: "SEOUL_JAMSIL", price: 15000))
            }
        }
        try await stubs.run { url in
            try await ChatWorld.test(.withsuhyeon, isLive: true) { configuration in
                configuration.authURLs = [url]
                configuration.communityURLs = [url]
                adjust(&configuration)
            } _: { chat in
                try await body(CompanionWorld(chat: chat, stubs: stubs, url: url))
            }
        }
    }

    /// Runs another copy of the service on the same database.
    func withSecondCopy(_ body: @escaping @Sendable (CompanionWorld) async throws -> Void) async throws {
        try await ChatWorld.test(.withsuhyeon, people: [:], isLive: true) { configuration in
            configuration.authURLs = [url]
            configuration.communityURLs = [url]
        } _: { chat in
            try await body(CompanionWorld(chat: chat, stubs: stubs, url: url))
        }
    }

    func open(_ account: AccountID) async throws -> CompanionClient {
        try await open(query: "userId=\(account.rawValue + 1000)", account)
    }

    func open(query: String, _ account: AccountID = 0) async throws -> CompanionClient {
        let identity = InternalIdentity(caller: .gateway, app: .withsuhyeon)
        let path = "/chat?\(query)"
        let socket = try await WebSocketClient.connect(
            "ws://127.0.0.1:\(client.port ?? 0)\(path)",
            headers: SocketService.identity(identity, at: path, to: .chat)
        )
        return CompanionClient(account: account, socket: socket)
    }

    /// Opens a socket that answers nothing, not even pings.
    func openMute(_ account: AccountID) async throws -> RawConnection {
        let connection = try await RawConnection.connect(to: client.port ?? 0)
        let identity = InternalIdentity(caller: .gateway, app: .withsuhyeon)
        let path = "/chat?userId=\(account.rawValue + 1000)"
        let headers = SocketService.identity(identity, at: path, to: .chat).map { "\($0): \($1)\r\n" }.joined()
        try await connection.send(
            """
            GET \(path) HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: Upgrade\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\(headers)\r

            """
        )
        try await eventually { try await receiver(of: account) != nil }
        return connection
    }

    /// Opens a socket and waits until it is the account's receiving one.
    func openReceiving(_ account: AccountID) async throws -> CompanionClient {
        let before = try await receiver(of: account)
        let phone = try await open(account)
        try await eventually {
            let now = try await receiver(of: account)
            return now != nil && now != before
        }
        return phone
    }

    /// The recorded receiving socket of an account.
    func receiver(of account: AccountID) async throws -> UUID? {
        try await database.optional(
            "SELECT socket_id FROM joined j JOIN presences p ON p.id = socket_id WHERE j.account_id = \(account)"
        ) { try $0.decode(UUID.self) }
    }

    /// Waits until no socket of an account is recorded.
    func untilGone(_ account: AccountID) async throws {
        try await eventually {
            try await database.one(
                "SELECT NOT EXISTS (SELECT FROM joined WHERE account_id = \(account) AND socket_id IS NOT NULL)"
            ) { try $0.decode(Bool.self) }
        }
    }

    /// Waits until the delivery through a number is recorded: unrecorded messages are sent again to a newer socket.
    func untilShown(_ account: AccountID, through sequence: Int64) async throws {
        try await eventually {
            try await database.one(
                "SELECT EXISTS (SELECT FROM joined WHERE account_id = \(account) AND shown_through >= \(sequence))"
            ) { try $0.decode(Bool.self) }
        }
    }

    /// Opens a room in which an account asks account 9 about a post.
    func ask(_ account: AccountID, about post: CompanionPostID = 70, _ text: String = "안녕하세요") async throws
        -> CompanionRoom
    {
        var phone = try await open(account)
        try await phone.create(post, author: 9, text)
        let created = try await phone.next()
        await phone.socket.close()
        return CompanionRoom(own: try #require(created.ownerChatRoomId), peer: try #require(created.peerChatRoomId))
    }

    func join(_ copy: String, _ account: AccountID) async throws {
        let answer = try await chat.client(account).send(.patch, "/api/v1/chatrooms/join/\(copy)")
        #expect(answer.status == .ok)
    }

    func exit(_ copy: String, _ account: AccountID) async throws {
        let answer = try await chat.client(account).send(.patch, "/api/v1/chatrooms/exit/\(copy)")
        #expect(answer.status == .ok)
    }

    func rooms(_ account: AccountID) async throws -> [CompanionFrameBody.Room] {
        try await chat.client(account).send(.get, "/api/v1/chatrooms").json(CompanionList.self).result.chatRooms
    }

    func messages(_ copy: String, _ account: AccountID) async throws -> [CompanionList.Message] {
        try await chat.client(account).send(.get, "/api/v1/chatrooms/\(copy)").json(CompanionMessages.self).result
            .chatMessages
    }

    func write(_ text: String, _ copy: String, _ account: AccountID) async throws {
        let json = #"{"content":"\#(text)"}"#
        let answer = try await chat.client(account).send(.post, "/api/v1/chatrooms/\(copy)/messages", json: json)
        #expect(answer.status == .ok)
    }
}

extension Trait where Self == FixtureTrait<CompanionWorld> {
    static var companions: Self { .fixture { try await CompanionWorld.test({ _ in }, $0) } }
}

/// The two ids of a room: the asking user's and the author's.
struct CompanionRoom: Sendable, Equatable {
    var own: String
    var peer: String
}

struct CompanionList: Decodable {
    struct Rooms: Decodable { var chatRooms: [CompanionFrameBody.Room] }

    struct Message: Decodable, Equatable {
        var type: String
        var content: String
        var timestamp: String
        var isRead: Bool
        var messageId: String
        var sequence: Int64
    }

    var result: Rooms
}

struct CompanionMessages: Decodable {
    struct Messages: Decodable { var chatMessages: [CompanionList.Message] }

    var result: Messages
}

/// One of the three frames that the app decodes.
struct CompanionFrameBody: Decodable, Equatable {
    struct Room: Decodable, Equatable {
        var ownerChatRoomId: String
        var peerChatRoomId: String
        var postId: CompanionPostID
        var chatOwnerId: Int64
        var chatPeerId: Int64
        var chatPeerNickname: String
        var chatPeerProfileImage: String
        var lastChatMessage: String
        var lastChatAt: String
        var unReadCount: Int
        var postTitle: String
        var postPlace: String
        var postCost: String
    }

    var type: String?
    var ownerChatRoomId: String?
    var peerChatRoomId: String?
    var content: String?
    var timestamp: String?
    var chatRooms: [Room]?
}

/// The app's end of a socket.
struct CompanionClient {
    let account: AccountID
    let socket: WebSocketClient
    private var frames: AsyncStream<WebSocketMessage>.AsyncIterator

    init(account: AccountID, socket: WebSocketClient) {
        self.account = account
        self.socket = socket
        frames = socket.messages.makeAsyncIterator()
    }

    /// The next frame; throws when the connection has ended.
    mutating func next() async throws -> CompanionFrameBody {
        let message = await frames.next(isolation: #isolation)
        guard case .text(let bytes) = try #require(message) else {
            Issue.record("the app ignores what is no text")
            return CompanionFrameBody()
        }
        return try JSONDecoder().decode(CompanionFrameBody.self, from: Data(bytes.readableBytesView))
    }

    func create(_ post: CompanionPostID, author: AccountID, _ text: String, sender: AccountID? = nil) async throws {
        try await send("CREATE", "NO", "NO", receiver: author, post: post, text, sender: sender)
    }

    func write(_ text: String, _ room: CompanionRoom, receiver: AccountID = 9, sender: AccountID? = nil) async throws {
        try await send("MESSAGE", room.own, room.peer, receiver: receiver, post: 70, text, sender: sender)
    }

    private func send(
        _ type: String,
        _ own: String,
        _ peer: String,
        receiver: AccountID,
        post: CompanionPostID,
        _ text: String,
        sender: AccountID?
    ) async throws {
        let content = String(decoding: try JSONEncoder().encode(text), as: UTF8.self)
        try await socket.send(
            """
            {"type":"\(type)","ownerChatRoomId":"\(own)","peerChatRoomId":"\(peer)","senderId":\(sender ?? account),\
            "receiverId":\(receiver),"postId":\(post),"content":\(content)}
            """
        )
    }
}
