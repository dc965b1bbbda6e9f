import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Sockets
import Synchronization
import TestKit
import Testing

@testable import Chat

/// Admission of sockets, and the end of sockets and rooms.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .companions) struct CompanionEndTests {
    private var world: CompanionWorld { .current }

    @Test func socket_withoutValidTicket_isClosed() async throws {
        let noTicket = "userId must be a ticket"
        for query in ["", "userId=", "userId=abc", "userId=-1", "user=1001", "userId=99999999999999999999"] {
            let end = await (try await world.open(query: query)).socket.end
            #expect(end == .closedByPeer(.policyViolation, reason: noTicket))
        }
        // An account id is not a ticket.
        for query in ["userId=1", "userId=5555", "userId=1&userId=1001"] {
            let end = await (try await world.open(query: query)).socket.end
            #expect(end == .closedByPeer(.policyViolation, reason: "this is no ticket, or its session has ended"))
        }
        // Other query parameters are ignored.
        for query in ["userId=1001&v=2", "v=2&userId=1001", "userId=1001&userId=1"] {
            var phone = try await world.open(query: query, 1)
            try await phone.create(70, author: 9, "안녕하세요")
            #expect(try await phone.next().type == "CHAT_ROOM_CREATED")
        }
    }

    @Test func socket_authUnavailable_closesWithTryAgainLater() async throws {
        world.stubs.state.withLock { $0.isAuthAway = true }
        guard case .closedByPeer(let code, _) = await (try await world.open(1)).socket.end else {
            Issue.record("the socket must be closed")
            return
        }
        #expect(code == .tryAgainLater)
    }

    @Test func endedSession_closesItsSocketsOnly() async throws {
        let ended = try await world.openReceiving(1)
        var other = try await world.openReceiving(9)
        let event = AuthEvents.SessionRevoked(account: 1, session: "session-1", app: .withsuhyeon)
        #expect(try await world.deliver(event, from: .auth) == 204)
        #expect(await ended.socket.end == .closedByPeer(.policyViolation, reason: "the session has ended"))
        _ = try await world.ask(2)
        #expect(try await other.next().chatRooms?.count == 1)
    }

    @Test func sessionEndedDuringTicketCheck_isRefused() async throws {
        // The stub's task is not the test's.
        let world = self.world
        world.stubs.state.withLock { $0.tickets[1002]?.session = "session-1" }
        let early = try await world.openReceiving(2).socket
        world.stubs.asked.withLock { asked in
            asked = { ticket in
                guard ticket == 1001 else { return }
                let event = AuthEvents.SessionRevoked(account: 1, session: "session-1", app: .withsuhyeon)
                let status = try await world.deliver(event, from: .auth)
                #expect(status == 204)
                // The event has been handled when another socket of the same session is closed.
                _ = await early.end
            }
        }
        let phone = try await world.open(1)
        let reason = "this is no ticket, or its session has ended"
        #expect(await phone.socket.end == .closedByPeer(.policyViolation, reason: reason))
    }

    @Test func deletedPost_deletesItsRooms() async throws {
        let (room, other) = (try await world.ask(1), try await world.ask(1, about: 71))
        var phone = try await world.openReceiving(1)
        try await world.join(room.own, 1)
        let event = CommunityEvents.CompanionPostDeleted(post: 70)
        #expect(try await world.deliver(event, from: .community) == 204)
        #expect(try await world.rooms(1).map(\.postId) == [71])
        #expect(try await world.rooms(9).map(\.postId) == [71])
        let one = world.chat.client(1)
        for _ in 1...2 { try await world.exit(room.own, 1) }
        for (method, path) in [
            (.get, ""), (.get, "/events"), (.patch, "/messages/\(room.own)"), (.delete, "/messages/\(room.own)"),
        ] as [(HTTPRequest.Method, String)] {
            let answer = try await one.send(method, "/api/v1/chatrooms/\(room.own)\(path)", json: #"{"content":"x"}"#)
            #expect(answer.status == .gone)
            #expect(answer.text.contains("CHAT_ROOM_001"))
        }
        #expect(try await one.send(.patch, "/api/v1/chatrooms/join/\(room.own)").status == .gone)
        // The socket stays open, without a room.
        try await phone.write("없는 방", room)
        try await world.write("있는 방", other.peer, 9)
        #expect(try await phone.next().chatRooms?.map(\.lastChatMessage) == ["있는 방"])
    }

    @Test func withdrawnAccount_leavesNoRows() async throws {
        let room = try await world.ask(1)
        let (gone, stays) = (try await world.openReceiving(1), try await world.openReceiving(9))
        try await world.join(room.own, 1)
        try await world.join(room.peer, 9)
        let event = AuthEvents.AccountWithdrawn(account: 1, app: .withsuhyeon)
        #expect(try await world.deliver(event, from: .auth) == 204)
        #expect(await gone.socket.end == .closedByPeer(.policyViolation, reason: "the session has ended"))
        #expect(try await world.rooms(9) == [])
        try await world.exit(room.peer, 9)
        #expect(try await world.chat.count("rooms") == 0)
        #expect(try await world.chat.count("messages") == 0)
        try await eventually {
            try await world.database.one("SELECT count(*) FROM joined WHERE account_id = 1") {
                try $0.decode(Int.self)
            } == 0
        }
        // No room with the withdrawn author can be created, although the community still returns the post.
        var late = stays
        try await late.write("누구 없어요", CompanionRoom(own: room.peer, peer: room.own), receiver: 1)
        world.stubs.state.withLock { $0.posts.append(.init(id: 72, author: 1, title: "a", region: "ALL", price: 0)) }
        try await late.create(72, author: 1, "누구 없어요")
        _ = try await world.ask(2)
        #expect(try await late.next().chatRooms?.map(\.chatPeerId) == [2])
        #expect(try await world.chat.count("rooms") == 1)
    }
}
