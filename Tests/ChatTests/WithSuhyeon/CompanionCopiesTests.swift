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

    @Test func olderSocket_copyOfNewerDies_receives() async throws {
        try await CompanionWorld.test {
            $0.membershipGracePeriod = .seconds(3)
        } _: { world in
            let room = try await world.ask(1)
            var author = try await world.openReceiving(9)
            try await world.join(room.peer, 9)
            try await pretendSocket(of: 9, world)
            try await world.write("들리나요", room.own, 1)
            #expect(try await author.next().content == "들리나요")
        }
    }

    /// Inserts a socket of a copy that has just failed.
    private func pretendSocket(of account: AccountID, _ world: CompanionWorld) async throws {
        let (copy, socket) = (UUID(), UUID())
        try await world.database.transaction { transaction in
            try await transaction.execute("INSERT INTO copies (id) VALUES (\(copy))")
            try await transaction.execute(
                """
                INSERT INTO presences (id, copy_id, account_id, room_id, is_reading)
                SELECT \(socket), \(copy), account_id, room_id, true FROM joined WHERE account_id = \(account)
                """
            )
            try await transaction.execute("UPDATE joined SET socket_id = \(socket) WHERE account_id = \(account)")
        }
    }
}
