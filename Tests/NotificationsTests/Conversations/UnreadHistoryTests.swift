import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Notifications

/// Random histories of rooms: after each step the badges and the waiting pushes equal a plain count.
@Suite(.database(Migrations.all), .timeLimit(.minutes(3)))
struct UnreadHistoryTests {
    let fixture = PushFixture()

    @Test(arguments: 0..<12)
    func randomEvents_matchPlainCount(_ seed: UInt64) async throws {
        for account in [1, 2, 3] as [AccountID] {
            try await fixture.database.execute(
                """
                INSERT INTO people (account_id, app, public_id, nickname)
                VALUES (\(account), 'anlaka', \(String(repeating: "\(account)", count: 24)), '')
                """
            )
            try await fixture.register(account, "phone-\(account)")
            // Its badge is the one of the account's next push.
            try await fixture.push("first", to: account, after: -86_400)
        }
        var history = RoomHistory(seed: seed)
        for step in 0..<150 {
            fixture.clock.advance(by: history.number(0...4) == 0 ? 3 : 0.5)
            if history.number(0...9) == 0 { history.pushed(try await send()) }
            let batch = (0..<history.number(1...4)).flatMap { _ in history.next(at: fixture.clock.now) }
            try await deliver(batch)
            let rooms = history.rooms
            for account in [1, 2, 3] as [AccountID] where account != history.left {
                let unread = rooms.map { $0.unread(by: account).count }.reduce(0, +)
                try #require(try await badge(of: account) == unread, "step \(step), account \(account)")
                try await check(try await waiting(account), of: account, in: rooms, step)
            }
            let orphans = try await fixture.database.one(
                "SELECT count(*) FROM conversations WHERE account_id = \(history.left ?? 0)"
            ) { try $0.decode(Int.self) }
            try #require(orphans == 0)
        }
    }

    /// Delivers events in one transaction, as the inbox does.
    private func deliver(_ batch: [RoomHistory.Happening]) async throws {
        let conversations = fixture.conversations
        try await fixture.database.transaction { transaction in
            for event in batch {
                switch event {
                case .sent(let messages): try await conversations.receive(messages, in: transaction)
                case .read(let events): try await conversations.read(events, in: transaction)
                case .takenBack(let events): try await conversations.takeBack(events, in: transaction)
                case .ended(let events): try await conversations.end(events, in: transaction)
                case .left(let account):
                    try await transaction.execute(
                        "UPDATE people SET withdrawn_at = now() WHERE account_id = \(account)"
                    )
                    try await conversations.forget(account, in: transaction)
                    try await fixture.devices.forget(account, in: transaction)
                }
            }
        }
    }

    private func badge(of account: AccountID) async throws -> Int? {
        let device = try await fixture.database.one("SELECT id FROM devices WHERE account_id = \(account)") {
            try $0.decode(DeviceID.self)
        }
        return try await PushStore().first(of: [device], at: fixture.clock.now, in: fixture.database).first?.badge
    }

    private struct Waiting {
        var room: String
        var messages: PushedMessages
        var isGrouped: Bool
        var body: String
    }

    private func waiting(_ account: AccountID) async throws -> [Waiting] {
        try await fixture.database.all(
            """
            SELECT thread, group_start, first_message, last_message, grouping IS NOT NULL, body
            FROM pushes p JOIN devices d ON d.id = p.device_id WHERE d.account_id = \(account) AND thread IS NOT NULL
            """
        ) {
            let (room, start, first, last, isGrouped, body) = try $0.decode(
                as: (String, Int64, Int64, Int64, Bool, String).self
            )
            let messages = PushedMessages(groupStart: start, first: first, last: last)
            return Waiting(room: room, messages: messages, isGrouped: isGrouped, body: body)
        }
    }

    /// Deletes the due pushes, as the sender does after sending them.
    private func send() async throws -> [(account: AccountID, room: String, messages: ClosedRange<Int64>)] {
        try await fixture.database.all(
            """
            DELETE FROM pushes p USING devices d
            WHERE d.id = p.device_id AND thread IS NOT NULL AND due_at <= \(fixture.clock.now)
            RETURNING d.account_id, thread, first_message, last_message
            """
        ) {
            let (account, room, first, last) = try $0.decode(as: (AccountID, String, Int64, Int64).self)
            return (account, room, first...last)
        }
    }

    private func check(
        _ pushes: [Waiting],
        of account: AccountID,
        in rooms: [RoomHistory.Room],
        _ step: Int
    ) async throws {
        for room in rooms {
            let unread = room.unread(by: account)
            var pushed: Set<Int64> = []
            for push in pushes where push.room == room.id.rawValue {
                let messages = unread.filter { (push.messages.first...push.messages.last).contains($0) }
                try #require(!messages.isEmpty, "step \(step): \(push) tells of nothing")
                try #require(pushed.isDisjoint(with: messages), "step \(step): \(push) tells of a message again")
                pushed.formUnion(messages)
                let count = unread.count { (push.messages.groupStart...push.messages.last).contains($0) }
                let text = push.isGrouped ? "새로운 메시지가 \(count)개 있습니다." : "m\(push.messages.first)"
                try #require(push.body == text, "step \(step)")
            }
            try #require(pushed == Set(room.unpushed(to: account)), "step \(step), room \(room.id), account \(account)")
        }
    }
}
