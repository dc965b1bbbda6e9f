import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Chat

/// The room routes of Anlaka (contract 2.4).
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RoomRoutesTests {
    private var world: ChatWorld { .current }

    @Test(.chat(.anlaka)) func room_showsParticipantsAndLastMessage() async throws {
        let json = #"{"opponent_id":"\#(ChatWorld.publicID(2))"}"#
        let room = try await world.open(json, by: 1).json(SeenRoom.self)
        #expect(room.participants.map(\.nick) == ["하루", "나무"])
        #expect(room.lastChat == nil && room.unreadCount == 0)
        #expect(try await world.rooms(of: 2) == [], "the room has no message yet")
        let message = try await world.say("안녕", 1, in: room.roomID)
        let seen = try #require(try await world.rooms(of: 2).first)
        #expect(seen.participants.map(\.nick) == ["나무", "하루"])
        #expect(seen.lastChat == message)
        #expect(seen.updatedAt == message.createdAt && seen.updatedAt > room.updatedAt)
        #expect(seen.unreadCount == 1 && seen.lastSequence == 1 && seen.readThrough == 0)
    }

    @Test(.chat(.anlaka)) func openRoom_withInvalidOpponent_isRefused() async throws {
        #expect(try await world.deliver(AuthEvents.AccountWithdrawn(account: 9, app: .anlaka), from: .auth) == 204)
        #expect(try await world.client(2).send(.put, "/v1/chats/blocks/\(ChatWorld.publicID(1))").status == .ok)
        let cases: [(String, Int)] = [
            (#"{"opponent_id":"\#(ChatWorld.publicID(1))"}"#, 400), ("{}", 400), ("", 400), ("[", 400),
            (#"{"opponent_id":null}"#, 400), (#"{"opponent_id":5}"#, 400),
            (#"{"opponent_id":"\#(ChatWorld.publicID(77))"}"#, 404), (#"{"opponent_id":"unknown"}"#, 404),
            (#"{"opponent_id":"\u0000"}"#, 404), (#"{"opponent_id":"\#(ChatWorld.publicID(9))"}"#, 404),
            (#"{"opponent_id":"\#(ChatWorld.publicID(2))"}"#, 403),
        ]
        for (json, code) in cases {
            let refused = try await world.refusal(1, .post, "/v1/chats", json: json)
            #expect(refused.code == code && !refused.message.isEmpty, "\(json) \(refused)")
        }
        let selfish = try await world.refusal(1, .post, "/v1/chats", json: cases[0].0)
        #expect(selfish.message.contains("opponent_id"))
        #expect(try await world.count("rooms") == 0)
    }

    @Test func rooms_areOrderedByLastMessage() async throws {
        try await ChatWorld.test(.anlaka, people: [1: "가", 2: "나", 3: "다", 4: "라"]) { world in
            var rooms: [String] = []
            for other in AccountID(2)...4 { rooms.append(try await world.room(of: 1, other)) }
            #expect(try await world.rooms(of: 1).map(\.roomID) == rooms.reversed())
            try await world.say("먼저", 2, in: rooms[0])
            try await world.say("나중", 1, in: rooms[1])
            #expect(try await world.rooms(of: 1).map(\.roomID) == [rooms[1], rooms[0], rooms[2]])
            #expect(try await world.rooms(of: 1).map(\.unreadCount) == [0, 1, 0])
        }
    }

    @Test(.chat(.anlaka)) func readPosition_onlyAdvances() async throws {
        let room = try await world.room(of: 1, 2)
        for number in 1...5 { try await world.say("\(number)", 1, in: room) }
        let path = "/v1/chats/\(room)/read"
        let steps: [(String?, Int64, Int)] = [
            (#"{"sequence":3}"#, 3, 2), (#"{"sequence":1}"#, 3, 2), (#"{"sequence":0}"#, 3, 2),
            (#"{"sequence":99}"#, 5, 0), (nil, 5, 0), ("{}", 5, 0),
        ]
        for (json, through, unread) in steps {
            #expect(try await world.client(2).send(.put, path, json: json).status == .ok)
            let seen = try #require(try await world.rooms(of: 2).first)
            #expect(seen.readThrough == through && seen.unreadCount == unread, "\(json ?? "-")")
            #expect(try await world.rooms(of: 1).first?.peerReadThrough == through)
        }
        for json in [#"{"sequence":-1}"#, #"{"sequence":"a"}"#, #"{"sequence":1.5}"#, "["] {
            #expect(try await world.refusal(2, .put, path, json: json).code == 400, "\(json)")
        }
        #expect(try await world.refusal(9, .put, path).code == 445)
    }

    @Test(.chat(.anlaka)) func clearedRoom_reappearsWithNextMessage() async throws {
        let room = try await world.room(of: 1, 2)
        for number in 1...3 { try await world.say("\(number)", 1, in: room) }
        for _ in 1...2 { #expect(try await world.client(2).send(.delete, "/v1/chats/\(room)").status == .ok) }
        #expect(try await world.rooms(of: 2) == [])
        #expect(try await world.history(room, 2) == [])
        #expect(try await world.history(room, 1).count == 3)
        let next = try await world.say("4", 1, in: room)
        let seen = try #require(try await world.rooms(of: 2).first)
        #expect(seen.lastChat == next && seen.unreadCount == 1)
        #expect(try await world.history(room, 2) == [next])
        #expect(try await world.history(room, 2, "?before=\(next.chatID)") == [])
        #expect(try await world.history(room, 2, "?from=2020-01-01T00:00:00.000Z") == [next])
        // Opening the room again shows it without messages.
        #expect(try await world.client(2).send(.delete, "/v1/chats/\(room)").status == .ok)
        #expect(try await world.room(of: 2, 1) == room)
        #expect(try await world.rooms(of: 2).map(\.lastChat) == [nil])
        #expect(try await world.refusal(9, .delete, "/v1/chats/\(room)").code == 445)
    }

    @Test(.chat(.anlaka)) func withdrawnAccount_roomsRemainForOtherParticipant() async throws {
        let room = try await world.room(of: 1, 2)
        let message = try await world.say("안녕", 2, in: room)
        for _ in 1...2 {
            #expect(try await world.deliver(AuthEvents.AccountWithdrawn(account: 2, app: .anlaka), from: .auth) == 204)
        }
        let seen = try #require(try await world.rooms(of: 1).first)
        #expect(seen.participants.map(\.nick) == ["하루", "탈퇴한 사용자"])
        #expect(seen.participants.allSatisfy { !$0.userID.isEmpty })
        let history = try await world.history(room, 1)
        #expect(history.map(\.content) == [message.content])
        #expect(history.map(\.sender.nick) == ["탈퇴한 사용자"])
        let send = #"{"content":"누구 있어요?"}"#
        #expect(try await world.refusal(1, .post, "/v1/chats/\(room)", json: send).code == 404)
        #expect(try await world.refusal(2, .post, "/v1/chats/\(room)", json: send).code >= 400)
    }

    @Test(.chat(.anlaka)) func block_refusesMessages_andKeepsRoom() async throws {
        let room = try await world.room(of: 1, 2)
        for text in ["하나", "둘"] { try await world.say(text, 2, in: room) }
        let old = (1...2).map { MessageID.text(Int64($0), in: "\(room)") }
        let block = "/v1/chats/blocks/\(ChatWorld.publicID(2))"
        for _ in 1...2 { #expect(try await world.client(1).send(.put, block).status == .ok) }
        let blocked = try await world.client(1).send(.get, "/v1/chats/blocks").json(Listed<SeenRoom.Person>.self)
        #expect(blocked.data.map(\.nick) == ["나무"])
        for account in [1, 2] as [AccountID] {
            let refused = try await world.refusal(account, .post, "/v1/chats/\(room)", json: #"{"content":"a"}"#)
            #expect(refused.code == 403)
            #expect(try await world.room(of: account, AccountID(rawValue: 3 - account.rawValue)) == room)
        }
        // Old messages can be deleted, and cannot be edited.
        for id in old {
            let path = "/v1/chats/\(room)/messages/\(id)"
            #expect(try await world.refusal(2, .patch, path, json: #"{"content":"a"}"#).code == 403)
        }
        #expect(try await world.history(room, 1).map(\.content) == ["하나", "둘"])
        #expect(try await world.client(2).send(.delete, "/v1/chats/\(room)/messages/\(old[0])").status == .ok)
        #expect(try await world.history(room, 1).map(\.content) == ["둘"])
        for _ in 1...2 { #expect(try await world.client(1).send(.delete, block).status == .ok) }
        try await world.say("다시", 2, in: room)
        let edited = try await world.client(2).send(
            .patch,
            "/v1/chats/\(room)/messages/\(old[1])",
            json: #"{"content":"셋"}"#
        )
        #expect(edited.status == .ok)
        #expect(try await world.refusal(1, .put, "/v1/chats/blocks/\(ChatWorld.publicID(1))").code == 400)
        #expect(try await world.refusal(1, .put, "/v1/chats/blocks/unknown").code == 404)
    }
}
