import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Chat

/// The read events that chat publishes for notifications.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct MessagesReadTests {
    private var world: ChatWorld { .current }

    /// The published events in their order, as `account room through`.
    private func published<E: Event>(_ event: E.Type, _ words: (E) -> String) async throws -> [String] {
        try await TestDatabase.current.client.all("SELECT body FROM outbox WHERE name = \(E.name) ORDER BY id") {
            words(try $0.decode(PostgresJSON<E>.self).value)
        }
    }

    private func reads() async throws -> [String] {
        try await published(ChatEvents.MessagesRead.self) { "\($0.app) \($0.account) \($0.room) \($0.through)" }
    }

    @Test(.chat(.anlaka)) func read_ofOthersMessages_isPublishedOnce() async throws {
        let room = try await world.room(of: 1, 2)
        func read(_ account: AccountID, _ json: String = "{}") async throws {
            let answer = try await world.client(account).send(.put, "/v1/chats/\(room)/read", json: json)
            #expect(answer.status == .ok)
        }
        try await read(2)
        for text in ["a", "b", "c"] { try await world.say(text, 1, in: room) }
        try await read(1)
        #expect(try await reads() == [])
        for _ in 0..<2 { try await read(2, #"{"sequence":2}"#) }
        #expect(try await reads() == ["anlaka 2 \(room) 2"])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { try await read(2, #"{"sequence":99}"#) } }
            try await group.waitForAll()
        }
        #expect(try await reads() == ["anlaka 2 \(room) 2", "anlaka 2 \(room) 3"])
        try await world.say("d", 2, in: room)
        try await read(2)
        #expect(try await reads().count == 2)
        try await read(1)
        #expect(try await reads().last == "anlaka 1 \(room) 4")
    }

    @Test(.chat(.anlaka)) func clearedRoom_countsAsRead() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.say("a", 1, in: room)
        for _ in 0..<2 { #expect(try await world.client(2).send(.delete, "/v1/chats/\(room)").status == .ok) }
        #expect(try await world.client(1).send(.delete, "/v1/chats/\(room)").status == .ok)
        #expect(try await reads() == ["anlaka 2 \(room) 1"])
    }

    @Test(.liveChat(.anlaka)) func messageToConnectedRecipient_isMarkedSeen() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.say("a", 1, in: room)
        let wire = try await world.listener(2, in: room)
        #expect(try await wire.chat(in: room).content == "a")
        #expect(try await reads() == ["anlaka 2 \(room) 1"])
        try await world.say("b", 1, in: room)
        #expect(try await wire.chat(in: room).content == "b")
        #expect(try await reads() == ["anlaka 2 \(room) 1"])
        let events = try await published(ChatEvents.MessageSent.self) { "\($0.isSeen) \($0.isRead ?? true)" }
        #expect(events == ["false false", "true true"])
    }

    @Test(.liveChat(.anlaka)) func messageToSubscriber_isSeenAndUnread() async throws {
        let room = try await world.room(of: 1, 2)
        var subscriber = try await StreamSubscriber.connect(world, 2).listen(room)
        try await world.say("a", 1, in: room)
        #expect(try await subscriber.events(1).map(\.message.content) == ["a"])
        #expect(
            try await published(ChatEvents.MessageSent.self) { "\($0.isSeen) \($0.isRead ?? true)" } == ["true false"]
        )
        #expect(try await world.rooms(of: 2).map(\.unreadCount) == [1])
    }

    /// Between the presence of a socket and its reading of the room the member may write: this reads the room, too.
    @Test(.chat(.anlaka)) func presentSender_readsWhatTheOtherHasWritten() async throws {
        let room = try await world.room(of: 1, 2)
        try await world.say("a", 1, in: room)
        try await world.say("b", 1, in: room)
        let database = TestDatabase.current.client
        try await database.execute("INSERT INTO copies (id) SELECT gen_random_uuid()")
        try await database.execute(
            """
            INSERT INTO presences (id, copy_id, account_id, room_id, is_reading)
            SELECT gen_random_uuid(), c.id, 2, r.id, true FROM copies c, rooms r ORDER BY c.seen_at DESC LIMIT 1
            """
        )
        try await world.say("c", 2, in: room)
        #expect(try await world.rooms(of: 2).map(\.unreadCount) == [0])
        #expect(try await reads() == ["anlaka 2 \(room) 3"])
        try await world.say("d", 2, in: room)
        try await world.say("e", 1, in: room)
        #expect(try await reads().count == 1)
    }

    @Test(.chat(.anlaka)) func messageTakenBack_isPublishedOnce() async throws {
        let room = try await world.room(of: 1, 2)
        let message = try await world.say("a", 1, in: room)
        for _ in 0..<2 {
            let path = "/v1/chats/\(room)/messages/\(message.chatID)"
            #expect(try await world.client(1).send(.delete, path).status == .ok)
        }
        let events = try await published(ChatEvents.MessageTakenBack.self) {
            "\($0.room) \($0.sequence) \($0.recipient)"
        }
        #expect(events == ["\(room) 1 2"])
    }

    @Test(.companions) func endedRooms_arePublished() async throws {
        let world = CompanionWorld.current
        for inquirer in [1, 2] as [AccountID] { _ = try await world.ask(inquirer) }
        let ids = try await world.database.all("SELECT public_id FROM rooms ORDER BY id") { try $0.decode(String.self) }
        let withdrawn = AuthEvents.AccountWithdrawn(account: 1, app: .withsuhyeon)
        #expect(try await world.deliver(withdrawn, from: .auth) == 204)
        for _ in 0..<2 {
            let event = CommunityEvents.CompanionPostDeleted(post: 70)
            #expect(try await world.deliver(event, from: .community) == 204)
        }
        let events = try await published(ChatEvents.RoomEnded.self) {
            "\($0.app) \($0.room) \($0.accounts.map(\.rawValue))"
        }
        #expect(events == ["withsuhyeon \(ids[0]) [1, 9]", "withsuhyeon \(ids[1]) [2, 9]"])
    }

    @Test(.companions) func joinedCompanionRoom_countsAsRead() async throws {
        let world = CompanionWorld.current
        let room = try await world.ask(1)
        let id = try await world.database.one("SELECT public_id FROM rooms") { try $0.decode(String.self) }
        for _ in 0..<2 { try await world.join(room.peer, 9) }
        #expect(try await reads() == ["withsuhyeon 9 \(id) 1"])
        try await world.join(room.own, 1)
        #expect(try await reads().count == 1)
    }
}
