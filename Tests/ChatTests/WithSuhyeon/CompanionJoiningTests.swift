import Contracts
import FoundationEssentials
import Postgres
import Sockets
import TestKit
import Testing

@testable import Chat

/// A participant who has joined a room receives and reads its messages; others receive a list (contract 2.3, 2.4).
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CompanionJoiningTests {
    private var world: CompanionWorld { .current }

    @Test(.companions) func message_withoutSocketOfRecipient_isUnread() async throws {
        let room = try await world.ask(1, "하나")
        try await world.write("둘", room.own, 1)
        #expect(try await world.rooms(9).first?.unReadCount == 2)
        #expect(try await world.messages(room.peer, 9).map(\.isRead) == [false, false])
        // A user's own messages are always read.
        #expect(try await world.messages(room.own, 1).map(\.isRead) == [true, true])
        #expect(try await world.messages(room.own, 1).map(\.type) == ["SEND", "SEND"])
        #expect(try await world.messages(room.peer, 9).map(\.type) == ["RECEIVE", "RECEIVE"])
        try await world.join(room.peer, 9)
        #expect(try await world.rooms(9).first?.unReadCount == 0)
        #expect(try await world.messages(room.peer, 9).map(\.isRead) == [true, true])
        // Without a socket, joining makes no presence.
        try await world.write("셋", room.own, 1)
        #expect(try await world.rooms(9).first?.unReadCount == 1)
    }

    @Test(.companions) func joinedParticipant_receivesAndReadsMessages() async throws {
        let room = try await world.ask(1)
        let other = try await world.ask(2)
        var author = try await world.openReceiving(9)
        try await world.join(room.peer, 9)
        let phone = try await world.open(1)
        for number in 1...20 { try await phone.write("\(number)", room) }
        for number in 1...20 {
            let frame = try await author.next()
            #expect(frame.content == "\(number)")
            #expect(frame.timestamp?.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}/) != nil)
            #expect(frame.type == nil && frame.chatRooms == nil)
        }
        #expect(try await world.rooms(9).first { $0.ownerChatRoomId == room.peer }?.unReadCount == 0)
        // Own messages are not sent back, and other rooms send nothing until the exit.
        try await author.write("내 말", CompanionRoom(own: room.peer, peer: room.own), receiver: 1)
        try await eventually { try await world.messages(room.own, 1).last?.content == "내 말" }
        try await world.write("다른 방", other.own, 2)
        try await world.write("이 방", room.own, 1)
        #expect(try await author.next().content == "이 방")
        try await world.exit(room.peer, 9)
        let list = try await author.next()
        #expect(list.chatRooms?.map(\.unReadCount) == [0, 2])
        try await world.exit(room.peer, 9)
        try await world.write("나간 뒤", room.own, 1)
        let next = try await author.next()
        #expect(next.chatRooms?.first?.lastChatMessage == "나간 뒤")
        #expect(next.chatRooms?.first?.unReadCount == 1)
    }

    @Test(.companions) func messageBurst_sendsFewListsWithTheLast() async throws {
        let room = try await world.ask(1)
        var author = try await world.openReceiving(9)
        for number in 1...40 { try await world.write("\(number)", room.own, 1) }
        var lists = 0
        while true {
            let list = try #require(try await author.next().chatRooms)
            lists += 1
            if list.first?.lastChatMessage == "40" { break }
        }
        #expect(lists < 40)
    }

    @Test(.companions) func join_leavesPreviousRoom() async throws {
        let (one, two) = (try await world.ask(1), try await world.ask(2))
        var author = try await world.openReceiving(9)
        try await world.join(one.peer, 9)
        // The user swipes back, which sends nothing, and opens the next room.
        try await world.join(two.peer, 9)
        try await world.write("옛 방", one.own, 1)
        try await world.write("새 방", two.own, 2)
        #expect(try await author.next().content == "새 방")
        #expect(try await world.rooms(9).first { $0.ownerChatRoomId == one.peer }?.unReadCount == 1)
        #expect(try await world.rooms(9).first { $0.ownerChatRoomId == two.peer }?.unReadCount == 0)
        // An exit from the previous room has no effect.
        try await world.exit(one.peer, 9)
        try await world.write("아직", two.own, 2)
        #expect(try await author.next().content == "아직")
    }

    @Test(.companions) func normalClose_leavesRoom_andLostConnectionDoesNot() async throws {
        let room = try await world.ask(1)
        for (code, stays) in [(CloseCode.internalError, true), (.goingAway, false), (.normal, false)] {
            let author = try await world.openReceiving(9)
            try await world.join(room.peer, 9)
            await author.socket.close(code)
            try await world.untilGone(9)
            try await world.write("그사이", room.own, 1)
            #expect(try await world.rooms(9).first?.unReadCount == 1)
            var again = try await world.openReceiving(9)
            if stays {
                #expect(try await again.next().content == "그사이")
                #expect(try await world.rooms(9).first?.unReadCount == 0)
            }
            try await world.write("다시", room.own, 1)
            let frame = try await again.next()
            #expect((frame.content == "다시") == stays)
            #expect((frame.chatRooms?.first?.unReadCount == 2) == !stays)
            await again.socket.close()
            try await world.join(room.peer, 9)
            try await world.exit(room.peer, 9)
            try await world.untilGone(9)
        }
    }

    @Test func joinedRoom_afterGracePeriod_isLeft() async throws {
        try await CompanionWorld.test {
            $0.membershipGracePeriod = .milliseconds(1500)
        } _: { world in
            let room = try await world.ask(1)
            var author = try await world.openReceiving(9)
            try await world.join(room.peer, 9)
            // An open socket keeps the room for any time, and writes nothing while the copy's heart beats.
            var versions: [String] = []
            for _ in 0..<3 {
                let beat = try await heartbeat(world)
                try await eventually { try await heartbeat(world) > beat }
                versions.append(try await version(world))
            }
            #expect(Set(versions).count == 1)
            try await world.write("여기", room.own, 1)
            #expect(try await author.next().content == "여기")
            await author.socket.close(.internalError)
            try await world.untilGone(9)
            try await world.database.execute("UPDATE joined SET seen_at = seen_at - interval '2 seconds'")
            var again = try await world.openReceiving(9)
            try await world.write("늦었네", room.own, 1)
            #expect(try await again.next().chatRooms?.first?.unReadCount == 1)
        }
    }

    private func heartbeat(_ world: CompanionWorld) async throws -> Date {
        try await world.database.one("SELECT max(seen_at) FROM copies") { try $0.decode(Date.self) }
    }

    /// The version of the row of account 9.
    private func version(_ world: CompanionWorld) async throws -> String {
        try await world.database.one("SELECT ctid::text FROM joined WHERE account_id = 9") {
            try $0.decode(String.self)
        }
    }

    @Test(.companions) func newestSocket_receives_andOlderOnesIdle() async throws {
        let room = try await world.ask(1)
        var older = try await world.openReceiving(9)
        try await world.join(room.peer, 9)
        try await world.write("하나", room.own, 1)
        #expect(try await older.next().content == "하나")
        try await world.untilShown(9, through: 2)
        var newer = try await world.openReceiving(9)
        try await world.write("둘", room.own, 1)
        #expect(try await newer.next().content == "둘")
        // The older socket may still send, and receives again when the newer one is lost.
        try await older.write("내 말", CompanionRoom(own: room.peer, peer: room.own), receiver: 1)
        try await eventually { try await world.messages(room.own, 1).count == 4 }
        await newer.socket.close(.internalError)
        try await eventually { try await world.receiver(of: 9) != nil }
        try await world.write("셋", room.own, 1)
        #expect(try await older.next().content == "셋")
        #expect(try await world.messages(room.own, 1).map(\.content) == ["안녕하세요", "하나", "둘", "내 말", "셋"])
        #expect(try await world.rooms(9).first?.unReadCount == 0)
    }

    @Test(.companions) func deadConnection_losesNoMessage() async throws {
        let room = try await world.ask(1)
        // The socket accepts frames and never answers: the service has not detected the lost connection yet.
        let dead = try await world.openMute(9)
        try await world.join(room.peer, 9)
        try await eventually {
            try await world.database.one("SELECT EXISTS (SELECT FROM presences WHERE is_reading)") {
                try $0.decode(Bool.self)
            }
        }
        try await world.write("하나", room.own, 1)
        try await world.write("둘", room.own, 1)
        #expect(try await world.rooms(9).first?.unReadCount == 0)
        var again = try await world.openReceiving(9)
        #expect(try await again.next().content == "하나")
        #expect(try await again.next().content == "둘")
        await dead.close()
        try await world.write("셋", room.own, 1)
        #expect(try await again.next().content == "셋")
        // Acknowledged messages are not sent again.
        await again.socket.close(.internalError)
        try await world.untilGone(9)
        try await world.write("넷", room.own, 1)
        again = try await world.open(9)
        #expect(try await again.next().content == "넷")
    }
}
