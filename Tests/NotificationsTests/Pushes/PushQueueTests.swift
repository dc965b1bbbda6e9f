import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Notifications

/// The queue of pushes.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct PushQueueTests {
    let fixture = PushFixture()

    private func texts() async throws -> [String] {
        try await fixture.database.all(
            "SELECT d.token || ' ' || p.body FROM pushes p JOIN devices d ON d.id = p.device_id ORDER BY 1"
        ) { try $0.decode(String.self) }
    }

    @Test
    func add_queuesForAllDevicesOfAccount() async throws {
        try await fixture.register(1, "a")
        try await fixture.register(1, "b")
        try await fixture.register(2, "c")
        try await fixture.push("text", to: 1)
        try await fixture.push("without a device", to: 3)
        #expect(try await texts() == ["a text", "b text"])
    }

    @Test
    func mutedKind_isNotQueued() async throws {
        try await fixture.register(1, "a")
        try await fixture.database.execute(
            "INSERT INTO muted_kinds (account_id, kind) VALUES (1, \(PushKind.chatMessage))"
        )
        try await fixture.write(1)
        try await fixture.push("text", to: 1)
        #expect(try await texts() == ["a text"])
    }

    @Test
    func appWithoutFCM_queuesNothing() async throws {
        try await fixture.register(1, "a", app: .culture)
        let queue = PushQueue(apps: [.anlaka], now: { .now })
        let order = ScheduledPush(account: 1, content: PushContent(kind: "K", body: "text"), due: .now)
        try await fixture.database.transaction { try await queue.add([order], in: $0) }
        #expect(try await texts() == [])
    }

    @Test
    func rolledBackTransaction_queuesNothing() async throws {
        struct Stop: Error {}
        try await fixture.register(1, "a")
        await #expect(throws: Stop.self) {
            try await fixture.database.transaction { transaction in
                let order = ScheduledPush(account: 1, content: PushContent(kind: "K", body: "text"), due: .now)
                try await fixture.queue.add([order], in: transaction)
                throw Stop()
            }
        }
        #expect(try await texts() == [])
    }

    @Test
    func concurrentAdds_loseNothing_andDoNotDeadlock() async throws {
        for account in 1...5 { try await fixture.register(AccountID(rawValue: Int64(account)), "t\(account)") }
        try await withThrowingTaskGroup { group in
            for worker in 0..<8 {
                group.addTask {
                    for round in 0..<10 {
                        let accounts = (1...5).shuffled()
                        let orders = accounts.map { account in
                            ScheduledPush(
                                account: AccountID(rawValue: Int64(account)),
                                content: PushContent(kind: "K", body: "\(worker) \(round)"),
                                due: .now
                            )
                        }
                        try await fixture.database.transaction { try await fixture.queue.add(orders, in: $0) }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await fixture.waiting() == 400)
    }
}
