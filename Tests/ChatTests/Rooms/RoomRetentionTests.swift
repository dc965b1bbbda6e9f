import Contracts
import Events
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Profiles
import TestKit
import Testing

@testable import Chat

/// The deletion of unused rooms.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RoomRetentionTests {
    private var world: ChatWorld { .current }

    private func prune() async throws {
        var retention = ChatDomain.withoutService.retention
        // Several batches.
        retention.batch = 2
        try await retention.prune()
    }

    private func ids() async throws -> [String] {
        try await world.database.all("SELECT public_id FROM rooms ORDER BY id") { try $0.decode(String.self) }
    }

    private func withdraw(_ accounts: [AccountID]) async throws {
        for account in accounts {
            let event = AuthEvents.AccountWithdrawn(account: account, app: .anlaka)
            #expect(try await world.deliver(event, from: .auth) == 204)
        }
    }

    @Test(.chat(.anlaka)) func emptyRooms_areKeptFor90Days() async throws {
        let (old, young, written) = (
            try await world.room(of: 1, 2), try await world.room(of: 1, 9), try await world.room(of: 2, 9)
        )
        try await world.say("안녕", 2, in: written)
        for (room, days) in [(old, 91), (young, 89), (written, 91)] {
            try await world.database.execute(
                "UPDATE rooms SET created_at = now() - make_interval(days => \(days)::int) WHERE public_id = \(room)"
            )
        }
        try await prune()
        #expect(try await ids() == [young, written])
        #expect(try await world.count("members") == 4)
        // The room of the pair can be opened again.
        #expect(try await world.room(of: 1, 2) != old)
    }

    @Test(.chat(.anlaka)) func roomOfWithdrawnMembers_isDeletedWithItsMessagesAndFiles() async throws {
        let (gone, stays) = (try await world.room(of: 1, 2), try await world.room(of: 1, 9))
        let files = try await world.upload([Picture.jpeg()], 1, to: gone)
        let kept = try await world.upload([Picture.jpeg()], 1, to: stays)
        for number in 1...5 { try await world.say("\(number)", 2, in: gone) }
        let message = try await world.say("파일", 1, in: gone, files: files)
        let path = "/v1/chats/\(gone)/messages/\(message.chatID)"
        #expect(try await world.client(1).send(.patch, path, json: #"{"content":"고침"}"#).status == .ok)
        try await world.say("여기", 1, in: stays, files: kept)
        try await withdraw([1])
        try await prune()
        #expect(try await ids() == [gone, stays])
        #expect(try await world.count("messages") == 7)
        try await withdraw([2])
        try await prune()
        #expect(try await ids() == [stays])
        #expect(try await world.count("messages") == 1)
        #expect(try await world.count("changes") == 0)
        #expect(try await world.count("members") == 2)
        #expect(try await world.client(9).send(.get, "/v1\(kept[0])").status == .ok)
        let expired = try await world.database.one("SELECT count(*) FROM uploads WHERE expires_at <= now()") {
            try $0.decode(Int.self)
        }
        #expect(expired == 1)
    }
}
