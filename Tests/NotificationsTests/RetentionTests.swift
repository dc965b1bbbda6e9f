import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Notifications

/// The deletion of old rows: each table keeps those that are a day younger than its limit.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct RetentionTests {
    let clock = ManualClock()

    private var database: PostgresClient { TestDatabase.current.client }

    private func prune() async throws {
        try await Retention(database: database, now: { [clock] in clock.now }).prune()
    }

    /// A day older, and a day younger, than a limit.
    private func instants(around limit: TimeInterval) -> [(name: String, at: Date)] {
        [("old", clock.now - limit - 86_400), ("young", clock.now - limit + 86_400)]
    }

    private func names(_ sql: SQL) async throws -> [String] {
        try await database.all(sql) { try $0.decode(String.self) }
    }

    @Test
    func alarms_areKeptFor180Days() async throws {
        for (name, at) in instants(around: Retention.notices) {
            for isRead in [true, false] {
                try await database.execute(
                    """
                    INSERT INTO alarms (app, account_id, kind, title, body, data, source, created_at, read_at)
                    VALUES ('moup', 1, 'K', \(name), '', '{}', gen_random_uuid(), \(at), CASE WHEN \(isRead) THEN \(at) END)
                    """
                )
            }
        }
        try await prune()
        #expect(try await names("SELECT title FROM alarms") == ["young", "young"])
    }

    @Test
    func announcementsAndMarks_areKeptFor180Days() async throws {
        for (name, at) in instants(around: Retention.notices) + [("ongoing", Date(timeIntervalSince1970: 0))] {
            try await database.execute(
                """
                WITH a AS (
                    INSERT INTO announcements (app, title, source, sent_at, last_device_id, pushed_through)
                    VALUES ('moup', \(name), gen_random_uuid(), \(at), 0, CASE WHEN \(name) = 'ongoing' THEN 0 END)
                    RETURNING id
                )
                INSERT INTO announcement_marks (account_id, announcement_id, read_at) SELECT 1, id, \(at) FROM a
                """
            )
        }
        try await prune()
        #expect(try await names("SELECT title FROM announcements ORDER BY id") == ["young", "ongoing"])
        let marked = try await names(
            "SELECT title FROM announcement_marks m JOIN announcements a ON a.id = announcement_id ORDER BY a.id"
        )
        #expect(marked == ["young", "ongoing"])
    }

    @Test
    func conversations_areKeptFor90Days_andUnreadOnesFor180() async throws {
        for (unread, limit) in [(0, Retention.readConversations), (2, Retention.notices)] {
            for (name, at) in instants(around: limit) {
                try await database.execute(
                    """
                    INSERT INTO conversations (account_id, room, unread, first_sequence, count, window_ends, touched_on)
                    VALUES (1, \("\(name) \(unread)"), \(unread), 1, 1, now(), \(at)::date)
                    """
                )
            }
        }
        try await prune()
        #expect(try await names("SELECT room FROM conversations ORDER BY room") == ["young 0", "young 2"])
    }

    @Test
    func changedConversation_isKept() async throws {
        let fixture = PushFixture()
        try await fixture.write(1)
        fixture.clock.advance(by: 100 * 86_400)
        try await fixture.write(2)
        try await fixture.read(through: 2)
        let retention = Retention(database: database, now: { [clock = fixture.clock] in clock.now })
        fixture.clock.advance(by: 80 * 86_400)
        try await retention.prune()
        #expect(try await names("SELECT room FROM conversations") == ["a1"])
        fixture.clock.advance(by: 20 * 86_400)
        try await retention.prune()
        #expect(try await names("SELECT room FROM conversations") == [])
    }

    @Test
    func devicesMailboxesAndSessions_areKeptByTheirUse() async throws {
        for (owner, limit) in [(true, Retention.devices), (false, Retention.endedSessions)] {
            for (name, at) in instants(around: limit) {
                let name = "\(name) \(owner)"
                try await database.execute(
                    """
                    WITH d AS (
                        INSERT INTO devices (app, account_id, session_id, token, digest, since)
                        SELECT 'moup', CASE WHEN \(owner) THEN 1 END, CASE WHEN \(owner) THEN \(name) END, \(name),
                            convert_to(\(name), 'UTF8'), \(at)
                        RETURNING id
                    )
                    INSERT INTO mailboxes (device_id, app) SELECT id, 'moup' FROM d
                    """
                )
                try await database.execute(
                    "INSERT INTO ended_sessions (session_id, ended_at) VALUES (\(name), \(at))"
                )
            }
        }
        try await prune()
        let tokens = "SELECT token FROM devices d JOIN mailboxes m ON m.device_id = d.id ORDER BY token" as SQL
        #expect(try await names(tokens) == ["young false", "young true"])
        #expect(try await names("SELECT session_id FROM ended_sessions") == ["young false"])
    }

    @Test
    func untakenPushes_areKeptForFourDays() async throws {
        let fixture = PushFixture()
        try await fixture.register(1, "a")
        for (name, at) in instants(around: Retention.pushes) {
            try await database.execute(
                """
                INSERT INTO pushes (device_id, kind, body, data, due_at, created_at)
                SELECT device_id, 'K', \(name), '{}', \(at), \(at) FROM mailboxes
                """
            )
        }
        try await prune()
        #expect(try await names("SELECT body FROM pushes") == ["young"])
    }

    @Test
    func manyRows_areDeletedInBatches() async throws {
        try await database.execute(
            """
            INSERT INTO alarms (app, account_id, kind, title, body, data, source, created_at)
            SELECT 'moup', 1, 'K', '', '', '{}', gen_random_uuid(), to_timestamp(n) FROM generate_series(1, 25) n
            """
        )
        try await database.execute(
            "INSERT INTO ended_sessions (session_id, ended_at) SELECT n, to_timestamp(n) FROM generate_series(1, 25) n"
        )
        let (store, limit) = (RetentionStore(database: database, batch: 10), Date(timeIntervalSince1970: 22))
        try await store.deleteAlarms(before: limit)
        try await store.deleteEndedSessions(before: limit)
        for table in ["alarms", "ended_sessions"] {
            let left = try await database.one("SELECT count(*) FROM \(identifier: table)") { try $0.decode(Int.self) }
            #expect(left == 4)
        }
    }
}
