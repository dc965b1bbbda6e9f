import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Chat

/// With Suhyeon's rooms and messages by REST (contract 1.2, calls 21 to 24), and the additional routes of new clients.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .companions) struct CompanionRoutesTests {
    private var world: CompanionWorld { .current }

    private struct Answer<Result: Decodable>: Decodable {
        var errorCode: String?
        var message: String
        var result: Result?
    }

    private struct Events: Decodable {
        struct Event: Decodable {
            var sequence: Int64
            var type: String
            var at: String
            var message: CompanionList.Message
        }

        var events: [Event]
        var lastSequence: Int64
    }

    @Test func rooms_areOrderedByLastMessage() async throws {
        #expect(try await world.rooms(1).isEmpty)
        let first = try await world.ask(1)
        let second = try await world.ask(1, about: 71)
        #expect(try await world.rooms(1).map(\.ownerChatRoomId) == [second.own, first.own])
        try await world.write("다시", first.peer, 9)
        #expect(try await world.rooms(1).map(\.ownerChatRoomId) == [first.own, second.own])
        #expect(try await world.rooms(1).map(\.unReadCount) == [1, 0])
        #expect(try await world.rooms(9).map(\.ownerChatRoomId) == [first.peer, second.peer])
        #expect(try await world.rooms(9).map(\.unReadCount) == [1, 1])
        #expect(try await world.rooms(2).isEmpty)
        // A time at a whole second has a fraction, too.
        try await world.database.execute("UPDATE rooms SET updated_at = '2025-01-25T05:12:33Z'")
        #expect(try await world.rooms(1).map(\.lastChatAt) == Array(repeating: "2025-01-25T05:12:33.000", count: 2))
    }

    @Test func otherRooms_return410() async throws {
        let room = try await world.ask(1)
        let id = try await world.messages(room.own, 1)[0].messageId
        let one = world.chat.client(1)
        // A room of other users, the other participant's id of the room, an unknown room, and an invalid id.
        for (copy, phone) in [
            (room.own, world.chat.client(2)), (room.peer, one), (ChatWorld.publicID(5), one), ("NO", one),
        ] {
            let path = "/api/v1/chatrooms/\(copy)"
            let json = #"{"content":"x"}"#
            for (method, address) in [
                (.get, path), (.get, path + "/events"), (.post, path + "/messages"),
                (.patch, path + "/messages/\(id)"), (.delete, path + "/messages/\(id)"),
                (.patch, "/api/v1/chatrooms/join/\(copy)"),
            ] as [(HTTPRequest.Method, String)] {
                let answer = try await phone.send(method, address, json: json)
                #expect(answer.status == .gone, "\(method) \(address)")
                let refusal = try answer.json(Answer<String>.self)
                #expect(refusal.errorCode == "CHAT_ROOM_001")
                #expect(refusal.result == nil)
            }
            #expect(try await phone.send(.patch, "/api/v1/chatrooms/exit/\(copy)").status == .ok)
        }
        #expect(try await world.messages(room.own, 1).count == 1)
        #expect(try await world.rooms(9).first?.unReadCount == 1)
    }

    @Test func messages_areLimitedToNewestThousand() async throws {
        let room = try await world.ask(1)
        try await world.database.execute(
            """
            INSERT INTO messages (room_id, sequence, sender_id, content, created_at)
            SELECT id, n, first_id, 'm' || n, now() + n * interval '1 second' FROM rooms, generate_series(2, 1101) n
            """
        )
        try await world.database.execute("UPDATE rooms SET last_sequence = 1101, last_message = 1101")
        let messages = try await world.messages(room.peer, 9)
        #expect(messages.map(\.sequence) == Array(102...1101))
        #expect(try await world.rooms(9).first?.unReadCount == 1000)
    }

    @Test func newClient_sendsEditsAndReadsEvents() async throws {
        let room = try await world.ask(1, "하나")
        let path = "/api/v1/chatrooms/\(room.own)"
        let (one, author) = (world.chat.client(1), world.chat.client(9))
        let key: HTTPFields = [try #require(HTTPField.Name("Idempotency-Key")): "k"]
        typealias Sent = Answer<CompanionList.Message>
        let sent = try await withThrowingTaskGroup(of: CompanionList.Message?.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await one.send(.post, path + "/messages", json: #"{"content":"둘"}"#, headers: key)
                        .json(Sent.self).result
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(sent.map { $0?.sequence }) == [2])
        let message = try #require(sent[0])
        #expect(message.type == "SEND" && message.content == "둘" && message.isRead)

        let address = "\(path)/messages/\(message.messageId)"
        let edited = try await one.send(.patch, address, json: #"{"content":"두울"}"#).json(Sent.self)
        #expect(edited.result?.content == "두울")
        let others = "/api/v1/chatrooms/\(room.peer)/messages/\(message.messageId)"
        #expect(try await author.send(.patch, others, json: #"{"content":"x"}"#).status == .forbidden)
        #expect(try await author.send(.delete, others).status == .forbidden)
        for _ in 1...2 { #expect(try await one.send(.delete, address).status == .ok) }
        #expect(try await one.send(.patch, address, json: #"{"content":"x"}"#).status == .gone)
        #expect(try await one.send(.delete, path + "/messages/x").status == .gone)
        #expect(try await world.messages(room.peer, 9).map(\.content) == ["하나"])
        #expect(try await world.rooms(9).first?.lastChatMessage == "하나")

        let events = try #require(
            try await author.send(.get, "/api/v1/chatrooms/\(room.peer)/events?after=1").json(Answer<Events>.self)
                .result
        )
        #expect(events.events.map(\.type) == ["sent", "edited", "deleted"])
        #expect(events.events.map(\.sequence) == [2, 3, 4])
        #expect(events.events.allSatisfy { $0.message.content.isEmpty && $0.message.type == "RECEIVE" })
        #expect(events.lastSequence == 4)
        let page = try await one.send(.get, path + "/events?limit=2").json(Answer<Events>.self).result
        #expect(page?.events.map(\.sequence) == [1, 2])
    }

    @Test func invalidInput_isRefusedWithFieldName() async throws {
        let room = try await world.ask(1)
        let path = "/api/v1/chatrooms/\(room.own)"
        let one = world.chat.client(1)
        let long = String(repeating: "a", count: 65_537)
        for json in [
            #"{"content":""}"#, #"{"content":"a\u0000"}"#, "{}", #"{"content":1}"#, #"{"content":"\#(long)"}"#,
        ] {
            let answer = try await one.send(.post, path + "/messages", json: json)
            #expect(answer.status == .badRequest)
            #expect(try answer.json(Answer<String>.self).errorCode == "REQUEST_001")
            #expect(answer.text.contains("content"))
        }
        #expect(try await one.send(.post, path + "/messages", json: "{").status == .badRequest)
        for query in ["after=-1", "after=x", "limit=0", "limit=501"] {
            #expect(try await one.send(.get, "\(path)/events?\(query)").status == .badRequest)
        }
        #expect(
            try await ServiceClient(world.chat.client, to: .chat, app: .withsuhyeon).send(.get, path).status
                == .unauthorized
        )
        #expect(try await world.messages(room.own, 1).count == 1)
    }
}
