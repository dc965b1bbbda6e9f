import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Chat

/// What operators see of rooms.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct OperatorRoutesTests {
    private var world: ChatWorld { .current }
    private var console: ServiceClient { ServiceClient(world.client, to: .chat, process: .console) }

    private func rooms() async throws -> [OperatorsAPI.RoomSummary] {
        try await console.send(.get, OperatorsAPI.Rooms.path).json(OperatorsAPI.Rooms.self).rooms
    }

    private func room(_ id: String) async throws -> OperatorsAPI.Room {
        let answer = try await console.send(.get, OperatorsAPI.Room.path(id))
        try #require(answer.status == .ok, "\(answer.text)")
        return try answer.json()
    }

    @Test(.chat(.anlaka)) func room_showsOrderAndReaders_withoutTexts() async throws {
        let id = try await world.room(of: 1, 2)
        _ = try await world.say("비밀 하나", 1, in: id)
        _ = try await world.say("답장", 2, in: id)
        _ = try await world.say("셋", 1, in: id)
        try await world.database.execute("UPDATE members SET read_through = 2")
        try await world.database.execute(
            "INSERT INTO changes (room_id, sequence, message, kind, changed_at) SELECT id, 4, 2, 'edited', now() FROM rooms"
        )
        try await world.database.execute("UPDATE rooms SET last_sequence = 4")
        let answer = try await console.send(.get, OperatorsAPI.Room.path(id))
        #expect(!answer.text.contains("비밀") && !answer.text.contains("답장"))
        let room = try await room(id)
        #expect(room.summary.publicID.rawValue == id && room.summary.app == .anlaka)
        #expect(room.summary.members == [1, 2] && room.summary.lastSequence == 4)
        #expect(room.members.map(\.account) == [1, 2] && room.members.map(\.nickname) == ["하루", "나무"])
        #expect(room.members.map(\.readThrough) == [2, 2])
        #expect(room.members.map(\.unread) == [0, 1])
        #expect(room.events.map(\.sequence) == [1, 2, 3, 4])
        #expect(room.events.map(\.kind) == ["sent", "sent", "sent", "edited"])
        #expect(room.events.map(\.message) == [1, 2, 3, 2])
        #expect(room.events.map(\.sender) == [1, 2, 1, 2])
        #expect(room.events.map(\.length) == [5, 2, 1, 2])
        #expect(room.events.map(\.readers) == [1, 1, 0, 0])
        #expect(try await self.room("\(room.summary.id)") == room)
    }

    @Test(.chat(.withsuhyeon)) func companionRoom_isFoundByTheIDOfEachMember() async throws {
        let (inquirers, authors) = try await world.companionRoom(of: 1, about: 70, by: 9)
        let room = try await room(inquirers)
        #expect(try await self.room(authors) == room)
        #expect(room.summary.app == .withsuhyeon && room.summary.members == [1, 9] && room.events == [])
        #expect(try await rooms() == [room.summary])
    }

    @Test(
        .chat(.anlaka),
        arguments: ["0", "1", "-1", "99999999999999999999", "x", "%00", "aaaaaaaaaaaaaaaaaaaaaaaa", "%27%3B--"]
    )
    func unknownRoom_isNotFound(id: String) async throws {
        #expect(try await console.send(.get, OperatorsAPI.Room.path(id)).status == .notFound)
    }

    @Test func rooms_areLimited_lastMessageFirst() async throws {
        let people = Dictionary(uniqueKeysWithValues: (AccountID(1)...60).map { ($0, "P") })
        try await ChatWorld.test(.anlaka, people: people) { world in
            for account in AccountID(2)...60 { _ = try await world.room(of: 1, account) }
            let first = try await world.room(of: 1, 2)
            _ = try await world.say("안녕", 1, in: first)
            let answer = try await ServiceClient(world.client, to: .chat, process: .console)
                .send(.get, OperatorsAPI.Rooms.path)
            let rooms = try answer.json(OperatorsAPI.Rooms.self).rooms
            #expect(rooms.count == OperatorsAPI.Rooms.limit && rooms.first?.publicID.rawValue == first)
        }
    }

    @Test(.chat(.anlaka)) func events_areTheNewest() async throws {
        let id = try await world.room(of: 1, 2)
        try await world.fill(id, with: 1200, of: 1)
        let room = try await room(id)
        #expect(room.events.map(\.sequence) == Array(1151...1200))
        #expect(room.members.map(\.unread) == [0, OperatorsAPI.Member.unreadLimit])
    }
}
