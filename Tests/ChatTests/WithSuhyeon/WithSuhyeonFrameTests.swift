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

/// Frames that the app sends by its socket (contract 2.2), and invalid ones.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct WithSuhyeonFrameTests {
    private var world: CompanionWorld { .current }

    @Test(.companions) func firstMessage_createsRoom() async throws {
        var author = try await world.open(9)
        let room = try await world.ask(1, "같이 가요 \"정말\"")
        let list = try await author.next()
        let shown = try #require(list.chatRooms?.first)
        #expect(list.chatRooms?.count == 1)
        #expect(shown.ownerChatRoomId == room.peer)
        #expect(shown.peerChatRoomId == room.own)
        #expect(shown.postId == 70)
        #expect(shown.chatOwnerId == 9)
        #expect(shown.chatPeerId == 1)
        #expect(shown.chatPeerNickname == "하루")
        #expect(shown.chatPeerProfileImage == "img_red_suma")
        #expect(shown.lastChatMessage == "같이 가요 \"정말\"")
        #expect(shown.unReadCount == 1)
        #expect(shown.postTitle == "글 70")
        #expect(shown.postPlace == "잠실/송파/강동")
        #expect(shown.postCost == "15000")
        #expect(shown.lastChatAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/) != nil)
        let process = ServiceClient(world.chat.client, to: .chat, process: .community)
        let copies = try await process.send(.get, ChatAPI.Room.path(post: 70, inquirer: 1)).json(ChatAPI.Room.self)
        #expect(copies == ChatAPI.Room(inquirersCopy: "\(room.own)", authorsCopy: "\(room.peer)"))
        #expect(try await process.send(.get, ChatAPI.Room.path(post: 70, inquirer: 2)).status.code == 404)
        #expect(try await process.send(.get, "/internal/rooms?post=a").status == .badRequest)
    }

    @Test(.companions) func concurrentCreations_makeOneRoom_andKeepEveryText() async throws {
        let rooms = try await withThrowingTaskGroup(of: CompanionRoom.self) { group in
            for turn in 0..<20 { group.addTask { try await world.ask(1, "말 \(turn)") } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(rooms.allSatisfy { $0 == rooms[0] })
        #expect(try await world.chat.count("rooms") == 1)
        let texts = try await world.messages(rooms[0].own, 1).map(\.content)
        #expect(texts.sorted() == (0..<20).map { "말 \($0)" }.sorted())
    }

    @Test(.companions) func messagesOfSocket_keepOrder() async throws {
        let room = try await world.ask(1)
        let phone = try await world.open(1)
        for number in 1...150 { try await phone.write("\(number)", room) }
        // Received messages are written also after the socket is closed.
        await phone.socket.close()
        try await eventually { try await world.messages(room.own, 1).count == 151 }
        #expect(try await world.messages(room.own, 1).dropFirst().map(\.content) == (1...150).map(String.init))
    }

    @Test(.companions) func wrongPeerID_isIgnored() async throws {
        let room = try await world.ask(1)
        var phone = try await world.open(1)
        // From a post's page the app sends its own room id twice, and any receiver.
        try await phone.write("둘 다 내 방", CompanionRoom(own: room.own, peer: room.own), receiver: 2)
        // A message has no response: the next frame answers the next creation.
        try await phone.create(70, author: 9, "끝")
        #expect(try await phone.next().type == "CHAT_ROOM_CREATED")
        #expect(try await world.messages(room.peer, 9).map(\.content) == ["안녕하세요", "둘 다 내 방", "끝"])
    }

    @Test(.companions) func invalidFrames_areDropped() async throws {
        let room = try await world.ask(1)
        let others = try await world.ask(2, about: 71)
        var phone = try await world.open(1)
        try await phone.write("남의 이름", room, sender: 2)
        try await phone.create(70, author: 9, "남의 이름", sender: 2)
        try await phone.write("남의 방", others)
        try await phone.write("상대의 방", CompanionRoom(own: room.peer, peer: room.own))
        try await phone.write("없는 방", CompanionRoom(own: "NO", peer: "NO"))
        try await phone.create(71, author: 2, "남의 글")
        try await phone.create(99, author: 9, "없는 글")
        try await phone.create(70, author: 2, "다른 받는 이")
        try await phone.write("", room)
        for text in ["", "{", "[]", "null", #"{"type":"MESSAGE"}"#, #"{"type":"MESSAGE","senderId":"1"}"#] {
            try await phone.socket.send(text)
        }
        try await phone.socket.send(#"{"type":"TYPING","senderId":1,"content":"x","ownerChatRoomId":"\#(room.own)"}"#)
        try await phone.socket.send(.binary, ByteBuffer(bytes: [0, 255, 1]))
        try await phone.write("a\u{0}b", room)
        try await phone.create(70, author: 9, "끝")
        #expect(try await phone.next().type == "CHAT_ROOM_CREATED")
        #expect(try await world.messages(room.own, 1).map(\.content) == ["안녕하세요", "ab", "끝"])
        #expect(try await world.messages(others.own, 2).count == 1)
        #expect(try await world.chat.count("rooms") == 2)
        let author = try await world.open(9)
        try await author.create(70, author: 9, "자기 글")
        await author.socket.close()
        try await world.untilGone(9)
        #expect(try await world.chat.count("rooms") == 2)
    }

    @Test(.companions) func blockedAccount_opensNoRoom_andKeepsExistingOnes() async throws {
        let room = try await world.ask(1)
        for blockers in [[1: [9]], [9: [1]]] as [[AccountID: [AccountID]]] {
            world.stubs.state.withLock { $0.blockers = blockers }
            var phone = try await world.open(1)
            try await phone.create(71, author: 9, "새 방")
            try await phone.create(70, author: 9, "옛 방")
            #expect(try await phone.next().ownerChatRoomId == room.own)
            await phone.socket.close()
        }
        #expect(try await world.chat.count("rooms") == 1)
        #expect(try await world.messages(room.peer, 9).count == 3)
    }

    @Test(.companions) func postDeletedDuringCreation_leavesNoRoom() async throws {
        let room = try await world.ask(2, about: 71)
        world.stubs.state.withLock { $0.answersLeft = 1 }
        var phone = try await world.open(1)
        try await phone.create(70, author: 9, "늦었네")
        world.stubs.state.withLock { $0.answersLeft = $0.answersLeft < 0 ? .max : $0.answersLeft }
        try await eventually { world.stubs.state.withLock { $0.answersLeft < 0 } }
        world.stubs.state.withLock { $0.answersLeft = .max }
        try await phone.create(71, author: 9, "다른 글")
        #expect(try await phone.next().ownerChatRoomId != room.own)
        #expect(try await world.rooms(1).map(\.postId) == [71])
        #expect(try await world.chat.count("rooms") == 2)
    }

    @Test(.companions) func longText_isStored_andTooLargeFrameClosesSocket() async throws {
        let room = try await world.ask(1)
        let phone = try await world.open(1)
        let long = String(repeating: "가나다", count: 6000)
        try await phone.write(long, room)
        try await eventually { try await world.messages(room.own, 1).count == 2 }
        #expect(try await world.messages(room.own, 1).last?.content == long)
        #expect(try await world.rooms(1).first?.lastChatMessage == String(long.prefix(500)))
        try await phone.write(String(repeating: "a", count: 70_000), room)
        #expect(await phone.socket.end == .closedByPeer(.tooLarge, reason: "a message is larger than 65536 bytes"))
    }

    @Test(.companions) func frameFlood_closesSocket() async throws {
        let phone = try await world.open(1)
        let frames = Task { for _ in 0..<5_000 { try await phone.socket.send("x") } }
        #expect(await phone.socket.end == .closedByPeer(.policyViolation, reason: "too many frames"))
        frames.cancel()
        _ = await frames.result
    }

    @Test func lostDatabaseConnections_loseNoMessage() async throws {
        let name = "chat-\(UInt64.random(in: 0 ... .max))"
        try await CompanionWorld.test {
            $0.database.applicationName = name
        } _: { world in
            let room = try await world.ask(1)
            let phone = try await world.openReceiving(1)
            let admin = try await TestServer.admin
            for number in 1...30 {
                try await phone.write("\(number)", room)
                // A write in progress is interrupted.
                try await admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = \(name)"
                )
            }
            try await eventually { (try? await world.messages(room.own, 1))?.count == 31 }
            #expect(try await world.messages(room.own, 1).dropFirst().map(\.content) == (1...30).map(String.init))
        }
    }
}
