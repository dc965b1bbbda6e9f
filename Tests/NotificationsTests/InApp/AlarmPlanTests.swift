import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Notifications

@Suite(.database(Migrations.all))
struct AlarmPlanTests {
    @Test
    func notificationLists_useIndexes() async throws {
        let database = TestDatabase.current.client
        try await database.execute(
            """
            INSERT INTO alarms (app, account_id, kind, title, body, data, source, created_at, read_at)
            SELECT 'moup', n % 500, 'PAYDAY_REMINDER', '', '', '{}', gen_random_uuid(), now(), CASE WHEN n % 3 > 0 THEN now() END
            FROM generate_series(1, 20000) n
            """
        )
        try await database.execute(
            """
            INSERT INTO devices (app, account_id, session_id, token, digest, since)
            SELECT CASE WHEN n % 100 = 0 THEN 'moup' ELSE 'anlaka' END, n, 's' || n, '', sha256(n::text::bytea), now()
            FROM generate_series(1, 20000) n
            """
        )
        try await database.execute("ANALYZE alarms, devices")
        let plans = Plans(counts: true)
        let store = InAppNotificationStore()
        for isRead in [nil, false] {
            _ = try await store.alarms(NotificationQuery(isRead: isRead, before: 15_000, limit: 20), of: 7, in: plans)
        }
        _ = try await store.unread(of: 7, in: plans)
        for plan in plans.all { #expect(Plans.rows(of: plan) < 300 && !plan.contains("Seq Scan"), "\(plan)") }
    }
}
