import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Chat

/// Query plans of the frequent statements, on tables with many rows.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct PlanTests {
    @Test func frequentQueries_useIndexes() async throws {
        try await Past.fill()
        let plans = Plans()
        let (rooms, messages) = (RoomStore(), MessageStore())
        _ = try await rooms.view(7, for: 7, in: plans)
        _ = try await rooms.room(Past.publicID(7), of: .anlaka, in: plans)
        _ = try await rooms.cleared(by: 7, in: 7, plans)
        _ = try await messages.last(500, in: 7, cleared: 0, plans)
        _ = try await messages.last(50, in: 7, before: 100, cleared: 3, plans)
        _ = try await messages.messages(in: 7, after: .now, cleared: 0, limit: 500, plans)
        _ = try await messages.events(in: 7, after: 190, limit: 500, plans)
        _ = try await messages.events(
            after: (7...30 as ClosedRange<Int64>).map { RoomPosition(room: RoomID(rawValue: $0), sequence: 190) },
            limit: 500,
            plans
        )
        _ = try await LiveStore().sequences(of: [7, 8], in: plans)
        _ = try await AttachmentStore().wasSent("file7", to: 7, in: plans)
        _ = try await BlockStore().isBlocked(7, 8, in: plans)
        _ = try await BlockStore().blocked(by: 7, limit: 1000, in: plans)
        #expect(plans.all.count == 12)
        for plan in plans.all { #expect(!plan.contains("Seq Scan"), "\(plan)") }
    }

    /// The cost of a write does not grow with the room: a repeated message is found by its client id.
    @Test func writes_inOldRoom_touchFewRows() async throws {
        try await Past.fill()
        let plans = Plans(counts: true)
        let drafts = (0..<20).map { number in
            MessageDraft(room: 7, sender: 7, content: "M", clientID: number == 0 ? "name200" : "new\(number)")
        }
        #expect(try await plans.run(MessageStore().known(drafts)).map(\.sequence) == [200])
        _ = try await plans.run(PresenceStore().present(in: [7]))
        for plan in plans.all { #expect(Plans.rows(of: plan) <= 60, "\(plan)") }
    }

    /// The same for what operators see.
    @Test func readsOfOperators_inOldRoom_touchRowsOfResponseOnly() async throws {
        try await Past.fill()
        let plans = Plans(counts: true)
        let store = OperatorLookupStore()
        #expect(try await store.room(7, in: plans)?.lastSequence == 200)
        #expect(try await store.room(Past.publicID(7), in: plans)?.id == 7)
        #expect(try await store.members(of: 7, in: plans).map(\.unread) == [0, 10])
        #expect(try await store.events(of: 7, limit: 50, in: plans).map(\.sequence) == Array(171...220))
        for (plan, most) in zip(plans.all, [5, 10, 120, 1000]) { #expect(Plans.rows(of: plan) <= most, "\(plan)") }
    }

    /// A query touches the rows of its response, not those of the history.
    @Test func reads_inOldRoom_touchRowsOfResponseOnly() async throws {
        try await Past.fill()
        let plans = Plans(counts: true)
        let (rooms, messages) = (RoomStore(), MessageStore())
        let list = try await rooms.views(of: 7, limit: 1000, in: plans)
        #expect(list.count == 2)
        #expect(try await messages.last(50, in: 7, cleared: 0, plans).count == 50)
        #expect(try await messages.events(in: 7, after: 150, limit: 500, plans).count == 70)
        #expect(
            try await messages.messages(
                in: 7,
                after: Past.last.addingTimeInterval(-10.5),
                cleared: 0,
                limit: 500,
                plans
            ).count == 11
        )
        let positions = [RoomPosition(room: 7, sequence: 150), RoomPosition(room: 8, sequence: 210)]
        let events = try await messages.events(after: positions, limit: 500, plans)
        #expect(events.map(\.sequence) == Array(151...220) + Array(211...220))
        #expect(events.map(\.message.room) == Array(repeating: 7, count: 70) + Array(repeating: 8, count: 10))
        // A few row visits for each row of the response.
        let most = [300, 300, 900, 100, 1100]
        for (plan, most) in zip(plans.all, most) { #expect(Plans.rows(of: plan) <= most, "\(plan)") }
    }
}

/// Some months of a busy service: 2,000 users, in two rooms each; some of the rooms have 200 messages.
private enum Past {
    static let last = Date(timeIntervalSince1970: 1_700_000_000)

    static func publicID(_ number: Int) -> PublicID {
        let digits = String(number)
        return PublicID(unchecked: String(repeating: "0", count: 24 - digits.count) + digits)
    }

    static func fill() async throws {
        let client = TestDatabase.current.client
        try await client.batch([
            """
            INSERT INTO people (account_id, app, public_id, nickname, image)
            SELECT n, 'anlaka', lpad(n::text, 24, '0'), 'P', '/data/profiles/p.jpg' FROM generate_series(1, 2000) n
            """,
            """
            INSERT INTO rooms (public_id, app, first_id, second_id, last_sequence, last_message)
            SELECT lpad(n::text, 24, '0'), 'anlaka', n, n + 1, 200, 200 FROM generate_series(1, 1999) n
            """,
            """
            INSERT INTO members (room_id, account_id, copy_id, is_open, read_through)
            SELECT id, first_id, lpad((2 * id)::text, 24, '0'), true, 190 FROM rooms UNION ALL
            SELECT id, second_id, lpad((2 * id + 1)::text, 24, '0'), true, 190 FROM rooms
            """,
            """
            INSERT INTO messages (room_id, sequence, sender_id, content, client_id, files, created_at)
            SELECT r.id, n, r.first_id, 'M', 'name' || n, CASE WHEN n = 1 THEN ARRAY['file' || r.id] ELSE '{}' END,
                \(last) - make_interval(secs => 200 - n)
            FROM rooms r, generate_series(1, CASE WHEN r.id <= 300 THEN 200 ELSE 5 END) n
            """,
            """
            INSERT INTO changes (room_id, sequence, message, kind, changed_at)
            SELECT r.id, 200 + n, n, 'edited', \(last) FROM rooms r, generate_series(1, 20) n WHERE r.id <= 300
            """,
            "INSERT INTO blocks (account_id, blocked_id) SELECT n, n + 2 FROM generate_series(1, 1998) n",
        ])
        try await TestDatabase.current.analyze()
    }
}
