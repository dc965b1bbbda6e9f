import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import ServiceKit
import Sockets
import TestKit
import Testing

@testable import Chat

/// Anlaka's sockets, frame by frame (contract 5, checklist 9).
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RoomSocketTests {
    private var world: ChatWorld { .current }

    @Test(.liveChat(.anlaka)) func message_isSentToBothAsInRESTResponse() async throws {
        let room = try await world.room(of: 1, 2)
        let others = try await world.room(of: 1, 9)
        let sockets = [
            try await world.listener(1, in: room), try await world.listener(2, in: room),
            try await world.listener(2, in: room),
        ]
        let bystander = try await world.listener(9, in: others)
        for text in ["안녕하세요", "\"따옴표\" \\ \n 😀 </script>", "끝"] {
            let answer = try await world.say(text, 1, in: room)
            #expect(answer.content == text)
            #expect(answer.sender.userID == ChatWorld.publicID(1))
            for socket in sockets { #expect(try await socket.chat(in: room) == answer) }
        }
        #expect(try await bystander.isQuiet())
        // One socket of a user is closed, the other stays open.
        await sockets[1].socket.close()
        let last = try await world.say("다음", 2, in: room)
        for socket in [sockets[0], sockets[2]] { #expect(try await socket.chat(in: room) == last) }
    }

    @Test(.liveChat(.anlaka)) func socket_joinsSeveralRooms() async throws {
        let (one, other) = (try await world.room(of: 1, 2), try await world.room(of: 1, 9))
        let wire = try await world.listener(1, in: one)
        #expect(try await wire.ask("40/chats-\(other),")?.hasPrefix("40/chats-\(other),") == true)
        let (first, second) = (try await world.say("하나", 2, in: one), try await world.say("둘", 9, in: other))
        // The order of messages of different rooms is not defined.
        let received = [await wire.next() ?? "", await wire.next() ?? ""]
        #expect(received.contains { $0.hasPrefix("42/chats-\(one),") && $0.contains(first.chatID) })
        #expect(received.contains { $0.hasPrefix("42/chats-\(other),") && $0.contains(second.chatID) })
        try await wire.say("41/chats-\(other),")
        #expect(try await wire.isQuiet())
        try await world.say("셋", 9, in: other)
        let last = try await world.say("넷", 2, in: one)
        #expect(try await wire.chat(in: one) == last)
    }

    @Test(.liveChat(.anlaka)) func editAndDeletion_areNotSent() async throws {
        let room = try await world.room(of: 1, 2)
        let wire = try await world.listener(2, in: room)
        let first = try await world.say("처음", 1, in: room)
        #expect(try await wire.chat(in: room) == first)
        let path = "/v1/chats/\(room)/messages/\(first.chatID)"
        #expect(try await world.client(1).send(.patch, path, json: #"{"content":"고침"}"#).status == .ok)
        #expect(try await world.client(1).send(.delete, path).status == .ok)
        let last = try await world.say("나중", 1, in: room)
        #expect(try await wire.chat(in: room) == last)
        // A deleted message is not replayed.
        let late = try await world.listener(1, in: room)
        #expect(try await late.chat(in: room) == last)
        #expect(try await late.isQuiet())
    }

    // MARK: Refusals

    @Test(.liveChat(.anlaka)) func connect_toInvalidRoom_isRefusedInNamespace() async throws {
        let room = try await world.room(of: 1, 2)
        let stranger = try await world.socket(9)
        let refusals = [
            ("/chats-\(room)", "You are no participant of this room."),
            ("/chats-\(String(repeating: "0", count: 24))", "There is no such room."),
            ("/chats-", "There is no such room."), ("/chats-\(room.uppercased())x", "There is no such room."),
            ("/chats", "There is no such namespace."), ("/rooms-\(room)", "There is no such namespace."),
        ]
        for (namespace, message) in refusals {
            let answer = try await stranger.ask("40\(namespace),")
            #expect(answer == #"44\#(namespace),{"message":"\#(message)"}"#)
        }
        #expect(try await stranger.ask("40") == #"44{"message":"There is no such namespace."}"#)
        try await world.say("비밀", 1, in: room)
        #expect(try await stranger.isQuiet())
        // The socket may still join a room of its own account.
        let own = try await world.room(of: 9, 1)
        #expect(try await stranger.ask("40/chats-\(own),")?.hasPrefix("40/chats-\(own),") == true)
    }

    @Test(.liveChat(.anlaka)) func connect_withBadToken_isRefusedWithItsReason() async throws {
        let room = try await world.room(of: 1, 2)
        let now = Int64(Date.now.timeIntervalSince1970)
        let tokens: [(String?, String)] = [
            (nil, "Sign in first."), (Self.token(exp: now - 1), "The access token has expired."),
            ("Bearer \(Self.token(exp: 1))", "The access token has expired."),
            (Self.token(exp: now + 900), "The access token is not valid."),
            ("junk", "The access token is not valid."), ("a.b.c", "The access token is not valid."),
        ]
        for (token, message) in tokens {
            let wire = try await world.socket(nil, token: token)
            #expect(try await wire.ask("40/chats-\(room),") == #"44/chats-\#(room),{"message":"\#(message)"}"#)
        }
    }

    private static func token(exp: Int64) -> String {
        "\(Base64URL.encode(Array("{}".utf8))).\(Base64URL.encode(Array(#"{"exp":\#(exp)}"#.utf8))).AAAA"
    }

    @Test func socket_staysOneMinuteBeyondTokenExpiry() throws {
        func visitor(_ token: String?, account: AccountID?) -> SocketPrincipal {
            var request = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/socket.io")
            let identity = InternalIdentity(caller: .gateway, app: .anlaka, account: account, session: "s")
            request.headerFields[.internalIdentity] = identity.signed("GET", "/socket.io", to: .chat)
            request.headerFields[.authorization] = token
            return SocketPrincipal(request, now: 1000)
        }
        #expect(visitor(Self.token(exp: 1900), account: 1).stay(now: 1000) == .seconds(960))
        // The gateway accepts a token for some seconds after its expiry.
        #expect(visitor(Self.token(exp: 990), account: 1).stay(now: 1000) == .seconds(60))
        #expect(visitor("junk", account: 1).stay(now: 1000) == nil)
        #expect(visitor(Self.token(exp: 1900), account: nil).stay(now: 1000) == nil)
        #expect(visitor(Self.token(exp: 1900), account: 1).token == .good(account: 1, session: "s"))
        #expect(visitor(Self.token(exp: 1000), account: nil).token == .expired)
        #expect(visitor("a.\(String(repeating: "a", count: 5000)).c", account: nil).token == .invalid)
    }

    // MARK: Ends

    @Test(.liveChat(.anlaka)) func endedSession_closesItsSockets() async throws {
        let room = try await world.room(of: 1, 2)
        let ended = try await world.listener(1, in: room, session: "a")
        let other = try await world.listener(1, in: room, session: "b")
        let event = AuthEvents.SessionRevoked(account: 1, session: "a", app: .anlaka)
        let auth = Self.tells(event, world)
        #expect(await ended.socket.end == .closedByPeer(.policyViolation, reason: "the session has ended"))
        auth.cancel()
        let last = try await world.say("남음", 2, in: room)
        #expect(try await other.chat(in: room) == last)
    }

    @Test(.liveChat(.anlaka)) func withdrawnAccount_isDisconnectedAndRefused() async throws {
        let room = try await world.room(of: 1, 2)
        let (gone, left) = (try await world.listener(1, in: room), try await world.listener(2, in: room))
        let event = AuthEvents.AccountWithdrawn(account: 1, app: .anlaka)
        let auth = Self.tells(event, world)
        #expect(await gone.socket.end == .closedByPeer(.policyViolation, reason: "the account is gone"))
        auth.cancel()
        #expect(try await left.isQuiet())
        let again = try await world.socket(1)
        #expect(try await again.ask("40/chats-\(room),") == #"44/chats-\#(room),{"message":"You have left."}"#)
    }

    /// Repeats an event until it has an effect: a copy that has just started may not listen yet.
    private static func tells(_ event: some Event, _ world: ChatWorld) -> Task<Void, any Error> {
        Task {
            while !Task.isCancelled {
                #expect(try await world.deliver(event, from: .auth) == 204)
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    @Test(.liveChat(.anlaka)) func connectedParticipant_hasReadMessages() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.say("하나", 1, in: room)
        #expect(try await world.rooms(of: 2).map(\.unreadCount) == [1])
        let wire = try await world.listener(2, in: room)
        while try await world.count("presences") == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(try await world.rooms(of: 2).map(\.unreadCount) == [0])
        #expect(try await world.rooms(of: 1).map(\.peerReadThrough) == [1])
        try await world.say("둘", 1, in: room)
        #expect(try await world.rooms(of: 2).map(\.unreadCount) == [0])
        #expect(try await world.rooms(of: 1).map(\.peerReadThrough) == [2])
        await wire.socket.close()
        while try await world.count("presences") > 0 { try await Task.sleep(for: .milliseconds(5)) }
        try await world.say("셋", 1, in: room)
        #expect(try await world.rooms(of: 2).map(\.unreadCount) == [1])
    }

    @Test(.liveChat(.anlaka)) func abruptDisconnections_leaveNoPresence() async throws {
        let room = try await world.room(of: 1, 2)
        let port = try #require(world.client.port)
        let identity = InternalIdentity(caller: .gateway, app: .anlaka, account: 1, session: "s")
        let path = "/socket.io?EIO=4&transport=websocket"
        let header = SocketService.identity(identity, at: path, to: .chat).map { "\($0.0): \($0.1)\r\n" }.joined()
        let head = """
            GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\n\
            Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\
            \(header)\r\n
            """
        let connect = Array("40/chats-\(room),".utf8)
        for turn in 0..<20 {
            let connection = try await RawConnection.connect(to: port)
            try await connection.send(head)
            let mask: [UInt8] = [0x81, 0x80 | UInt8(connect.count), 0, 0, 0, 0]
            try await connection.send(.init(bytes: mask + connect))
            if turn.isMultiple(of: 2) {
                while try await world.count("presences") == 0 { try await Task.sleep(for: .milliseconds(2)) }
            }
            await connection.reset()
            if turn.isMultiple(of: 2) {
                while try await world.count("presences") > 0 { try await Task.sleep(for: .milliseconds(2)) }
            }
        }
        while try await world.count("presences") > 0 { try await Task.sleep(for: .milliseconds(2)) }
        let wire = try await world.listener(2, in: room)
        let last = try await world.say("아직", 1, in: room)
        #expect(try await wire.chat(in: room) == last)
    }
}
