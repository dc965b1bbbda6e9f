import Postgres
import TestKit
import Testing

@testable import Chat

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct MissedNotificationTests {
    @Test func messages_notificationsLost_arriveOnce() async throws {
        let name = "chat-\(UInt64.random(in: 0 ... .max))"
        try await CompanionWorld.test {
            $0.database.applicationName = name
        } _: { world in
            let room = try await world.ask(1)
            var author = try await world.openReceiving(9)
            try await world.join(room.peer, 9)
            let writer = try await world.openReceiving(1)
            let admin = try await TestServer.admin
            for number in 1...10 {
                try await admin.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = \(name)"
                )
                try await writer.write("\(number)", room)
                #expect(try await author.next().content == "\(number)")
            }
        }
    }
}
