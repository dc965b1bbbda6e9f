import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Console

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct RetentionTests {
    private var database: PostgresClient { TestDatabase.current.client }

    private func insert(hoursAgo: Int, bytes: Int = 10) async throws {
        // Does not compress.
        try await database.execute(
            """
            INSERT INTO spans (at, trace, program, spans) SELECT now() - make_interval(hours => \(hoursAgo)::int),
                gen_random_uuid(), 'chat', jsonb_build_array(string_agg(md5(random()::text), '')) FROM generate_series(1, \(bytes / 32 + 1))
            """
        )
    }

    private func count() async throws -> Int {
        try await database.one("SELECT count(*) FROM spans") { try $0.decode(Int.self) }
    }

    @Test func traces_areDroppedAfterADay() async throws {
        let retention = Retention(database: database, space: 1 << 30)
        try await insert(hoursAgo: 25)
        try await insert(hoursAgo: 23)
        try await retention.run()
        #expect(try await count() == 1)
    }

    /// The present hour stays, and what comes afterwards is not stored.
    @Test func tracesThatTakeTooMuch_areDroppedByTheHour_oldestFirst() async throws {
        let space = 4 << 20
        let retention = Retention(database: database, space: space)
        try await retention.run()
        for hour in [2, 1] {
            try await database.execute(
                """
                CREATE TABLE \(identifier: try await name(hoursAgo: hour)) PARTITION OF spans FOR VALUES FROM
                    (\(literal: try await start(hoursAgo: hour))) TO (\(literal: try await start(hoursAgo: hour - 1)))
                """
            )
            try await insert(hoursAgo: hour, bytes: 3 << 20)
        }
        try await retention.run()
        #expect(try await count() == 1 && !retention.isFull)
        try await insert(hoursAgo: 0, bytes: 5 << 20)
        try await retention.run()
        #expect(try await count() == 1 && retention.isFull)
        try await database.execute("TRUNCATE spans")
        try await retention.run()
        #expect(!retention.isFull)
    }

    private func name(hoursAgo: Int) async throws -> String {
        try await database.one(
            "SELECT 'spans_' || to_char((now() - make_interval(hours => \(hoursAgo)::int)) AT TIME ZONE 'UTC', 'YYYYMMDDHH24')"
        ) { try $0.decode(String.self) }
    }

    private func start(hoursAgo: Int) async throws -> String {
        try await database.one(
            "SELECT date_trunc('hour', now() - make_interval(hours => \(hoursAgo)::int))::text"
        ) { try $0.decode(String.self) }
    }
}

extension SQL.StringInterpolation {
    /// A text that cannot be a parameter, in quotes.
    fileprivate mutating func appendInterpolation(literal text: String) { appendLiteral("'\(text)'") }
}
