import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Workforce

/// Deletion of workplaces with more people than one transaction ends the memberships of.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct WorkplaceClosingTests {
    private var world: WorkforceWorld { .current }
    private var database: PostgresClient { TestDatabase.current.client }

    /// Adds this many workers, each with a past shift and a planned one; every tenth is pending and has none.
    private func add(_ count: Int, at workplace: WorkplaceID) async throws {
        try await database.execute(
            """
            INSERT INTO people (account_id, nickname, role)
            SELECT 1000 + n, '사람', 'ROLE_WORKER' FROM generate_series(1, \(count)) n
            """
        )
        try await database.execute(
            """
            INSERT INTO workers (workplace_id, account_id, is_accepted)
            SELECT \(workplace), 1000 + n, n % 10 <> 0 FROM generate_series(1, \(count)) n
            """
        )
        try await database.execute(
            """
            INSERT INTO shifts (worker_id, workplace_id, date, starts_at, ends_at, rest_minutes, hourly_rate,
                has_night_allowance, has_holiday_allowance)
            SELECT k.id, k.workplace_id, (at AT TIME ZONE 'Asia/Seoul')::date, at, at + interval '8 hours', 0, 10030,
                false, false
            FROM workers k, unnest(ARRAY['2025-11-10T03:00Z', '2025-11-27T03:00Z']::timestamptz[]) AS at
            WHERE k.workplace_id = \(workplace) AND k.account_id > 1000 AND k.is_accepted
            """
        )
    }

    /// The number of memberships that have not ended.
    private func waiting() async throws -> Int {
        try await database.one("SELECT count(*) FROM workers WHERE parted_at IS NULL") { try $0.decode(Int.self) }
    }

    @Test(.service(at: "2025-11-20T03:00:00Z")) func deletion_ofFourThousandPeople_endsInPages() async throws {
        let domain = PlacesDomain.make { .seoul("2025-11-20", 720) }
        let id = try await world.shared()
        try await add(4_000, at: id)
        #expect(try await world.client(9).send(.delete, "/workplaces/\(id)").status == .noContent)
        // The workplace is gone at once for all, also for those whose membership is still to be ended.
        #expect(try await world.client(9).send(.get, "/workplaces/\(id)").status == .notFound)
        #expect(try await world.client(4_999).send(.get, "/workplaces/\(id)").status == .notFound)
        #expect(try await waiting() == 4_001 - Offboarding.page)
        var pages = 0
        while try await domain.workplaces.closeNext() { pages += 1 }
        #expect(pages == 4_001 / Offboarding.page)
        #expect(try await waiting() == 0)
        #expect(try await world.count("workers") == 3_601)
        // Past shifts stay, planned ones are gone, and each worker has been alerted once.
        #expect(try await world.count("shifts") == 3_600)
        let alerted = try await database.one("SELECT count(DISTINCT body->>'account') FROM outbox") {
            try $0.decode(Int.self)
        }
        #expect(alerted == 3_600)
        #expect(try await domain.workplaces.closeNext() == false)
    }

    /// A shift that began after the deletion was planned before it, and is deleted.
    @Test(.service(at: "2025-11-20T03:00:00Z")) func laterPages_endAtTimeOfDeletion() async throws {
        let domain = PlacesDomain.make { .seoul("2025-11-28", 720) }
        let id = try await world.shared()
        try await add(150, at: id)
        #expect(try await world.client(9).send(.delete, "/workplaces/\(id)").status == .noContent)
        while try await domain.workplaces.closeNext() {}
        #expect(try await world.count("shifts") == 135)
        let ends = try await database.all("SELECT DISTINCT parted_at FROM workers") { try $0.decode(Date.self) }
        #expect(ends == [.seoul("2025-11-20", 720)])
    }
}
