import Contracts
import FoundationEssentials
import Postgres
import Sockets
import TestKit
import Testing

@testable import Chat

/// Rooms and sockets of With Suhyeon on two copies of the service.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CompanionCopiesTests {
    private var first: CompanionWorld { .current }
    private var world: CompanionWorld { .current }

    @Test(.companions) func join_throughAnotherCopy_takesEffect() async throws {
        try await first.withSecondCopy { second in
            let room = try await first.ask(1)
            var author = try await second.openReceiving(9)
            try await first.join(room.peer, 9)
            let phone = try await first.open(1)
            for number in 1...20 {
                try await phone.write("\(number)", room)
                #expect(try await author.next().content == "\(number)")
            }
            #expect(try await first.rooms(9).first?.unReadCount == 0)
            try await first.exit(room.peer, 9)
            try await first.write("나간 뒤", room.own, 1)
            #expect(try await author.next().chatRooms?.first?.unReadCount == 1)
        }
    }

    @Test(.companions) func newestSocket_atAnotherCopy_receives() async throws {
        try await first.withSecondCopy { second in
            let room = try await first.ask(1)
            var older = try await first.openReceiving(9)
            try await second.join(room.peer, 9)
            try await second.write("하나", room.own, 1)
            #expect(try await older.next().content == "하나")
            try await first.untilShown(9, through: 2)
            var newer = try await second.openReceiving(9)
            try await first.write("둘", room.own, 1)
            #expect(try await newer.next().content == "둘")
            await newer.socket.close(.internalError)
            try await eventually { try await first.receiver(of: 9) != nil }
            try await second.write("셋", room.own, 1)
            #expect(try await older.next().content == "셋")
        }
    }

    @Test(.companions) func joinedRoom_copyDies_isRestoredOnReconnect() async throws {
        let room = try await world.ask(1)
        try await world.join(room.peer, 9)
        try await pretendSocket(of: 9, world)
        // The failure of the copy is not detected yet, so this counts as read.
        try await world.write("사라진 말", room.own, 1)
        #expect(try await world.rooms(9).first?.unReadCount == 0)
        var author = try await world.open(9)
        #expect(try await author.next().content == "사라진 말")
        try await world.write("다음", room.own, 1)
        #expect(try await author.next().content == "다음")
    }

    @Test(.companions) func olderSocket_copyOfNewerDies_receives() async throws {
        let room = try await world.ask(1)
        var author = try await world.openReceiving(9)
        try await world.join(room.peer, 9)
        try await pretendSocket(of: 9, world, failedBefore: 13)
        try await world.write("들리나요", room.own, 1)
        #expect(try await author.next().content == "들리나요")
    }

    /// The copies take one for dead that lives: its socket becomes active again and has read what it shows.
    @Test(.companions) func socketOfCopyTakenForDead_receives() async throws {
        let room = try await world.ask(1)
        var author = try await world.openReceiving(9)
        try await world.join(room.peer, 9)
        try await world.write("하나", room.own, 1)
        #expect(try await author.next().content == "하나")
        let socket = try await world.receiver(of: 9)
        let accounts = try await world.database.transaction { transaction in
            try await transaction.execute("UPDATE copies SET seen_at = now() - interval '1 minute'")
            let dead = try await PresenceStore().lockDead(in: transaction)
            let accounts = try await RoomMembershipStore().release(dead, in: transaction)
            _ = try await PresenceStore().delete(copies: dead, in: transaction)
            try await transaction.execute("UPDATE joined SET seen_at = now()")
            return accounts
        }
        #expect(accounts == [9])
        try await world.write("둘", room.own, 1)
        #expect(try await author.next().content == "둘")
        try await eventually { try await world.receiver(of: 9) == socket }
        try await world.write("셋", room.own, 1)
        #expect(try await author.next().content == "셋")
        try await eventually { try await world.rooms(9).first?.unReadCount == 0 }
    }

    /// After a crash of PostgreSQL the table of copies is empty, and one of them may not come back.
    @Test(.companions) func socketOfLostCopy_isReleasedAtTheSecondLook() async throws {
        let room = try await world.ask(1)
        try await world.join(room.peer, 9)
        try await pretendSocket(of: 9, world)
        try await world.database.execute(
            "DELETE FROM copies WHERE id = (SELECT copy_id FROM joined WHERE account_id = 9)"
        )
        let presences = Presences(database: world.database, logger: .quiet)
        func isHeld() async throws -> Bool {
            try await world.database.one("SELECT socket_id IS NOT NULL FROM joined WHERE account_id = 9") {
                try $0.decode(Bool.self)
            }
        }
        try await presences.releaseUnknown()
        #expect(try await isHeld())
        try await presences.releaseUnknown()
        #expect(try await !isHeld())
    }

    /// Inserts a socket of a copy that has failed.
    private func pretendSocket(of account: AccountID, _ world: CompanionWorld, failedBefore seconds: Double = 0)
        async throws
    {
        let (copy, socket) = (UUID(), UUID())
        try await world.database.transaction { transaction in
            try await transaction.execute(
                "INSERT INTO copies (id, seen_at) VALUES (\(copy), now() - make_interval(secs => \(seconds)))"
            )
            try await transaction.execute(
                """
                INSERT INTO presences (id, copy_id, account_id, room_id, is_reading)
                SELECT \(socket), \(copy), account_id, room_id, true FROM joined WHERE account_id = \(account)
                """
            )
            try await transaction.execute(
                """
                UPDATE joined SET socket_id = \(socket), copy_id = \(copy), seen_at = 'infinity'
                WHERE account_id = \(account)
                """
            )
        }
    }
}
