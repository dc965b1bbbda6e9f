import TestKit
import Testing

@testable import Postgres

@Suite(.database(), .timeLimit(.minutes(5)))
struct MigrationTests {
    private var client: PostgresClient { TestDatabase.current.client }

    private let people = Migration(
        version: 1,
        name: "people",
        sql: Array(
            """
            -- Two statements; a semicolon in a string and one in a body.
            CREATE TABLE people (id bigint GENERATED ALWAYS AS IDENTITY, name text DEFAULT ';');
            CREATE FUNCTION one() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 1; END $$;
            """.utf8
        )
    )
    private let ages = Migration(version: 2, name: "ages", sql: Array("ALTER TABLE people ADD COLUMN age int;".utf8))

    private func applied() async throws -> [Int] {
        try await client.all("SELECT version FROM schema_migrations ORDER BY version") { try $0.decode(Int.self) }
    }

    @Test func missingMigrations_areAppliedOnce() async throws {
        try await client.migrate([people])
        try await client.migrate([people])
        #expect(try await applied() == [1])
        try await client.execute("INSERT INTO people (name) VALUES (DEFAULT)")
        try await client.migrate([people, ages])
        #expect(try await applied() == [1, 2])
        let (one, name, age) = try await client.one("SELECT one(), name, age FROM people") {
            try $0.decode(Int.self, String.self, Int?.self)
        }
        #expect((one, name) == (1, ";"))
        #expect(age == nil)
    }

    @Test func editedMigration_isRefused() async throws {
        try await client.migrate([people])
        var edited = people
        edited.sql += Array("-- harmless?".utf8)
        let error = await #expect(throws: PostgresError.self) { try await client.migrate([edited, ages]) }
        #expect(error?.kind == .migration)
        #expect(error?.message.hasPrefix("Migration 1 (people) was changed after it had been applied.") == true)
        #expect(try await applied() == [1], "no later migration is applied")
    }

    @Test func migrationBeforeAppliedOne_isRefused() async throws {
        try await client.migrate([people, Migration(version: 3, name: "third", sql: Array("SELECT 3".utf8))])
        let error = await #expect(throws: PostgresError.self) { try await client.migrate([people, ages]) }
        #expect(error?.message.contains("comes before 3") == true)
    }

    @Test func versions_notAscending_areRefused() async throws {
        for migrations in [[ages, people], [people, people]] {
            let error = await #expect(throws: PostgresError.self) { try await client.migrate(migrations) }
            #expect(error?.kind == .migration)
        }
    }

    @Test func newerSchema_isAccepted() async throws {
        try await client.migrate([people, ages])
        try await client.migrate([people])
        #expect(try await applied() == [1, 2])
    }

    @Test func failingMigration_isRolledBack() async throws {
        let broken = Migration(
            version: 2,
            name: "broken",
            sql: Array(
                "CREATE TABLE half (id int); INSERT INTO half VALUES (1); SELECT 1 / 0; CREATE TABLE rest (id int)".utf8
            )
        )
        let error = await #expect(throws: PostgresError.self) { try await client.migrate([people, broken]) }
        #expect(error?.kind == .migration)
        #expect(error?.sqlState == "22012")
        #expect(error?.message.hasPrefix("Migration 2 (broken) failed: division by zero") == true)
        #expect(try await applied() == [1])
        let half = try await client.one("SELECT to_regclass('half') IS NULL") { try $0.decode(Bool.self) }
        #expect(half)
        try await client.migrate([people, ages])
        #expect(try await applied() == [1, 2])
    }

    @Test func script_notUTF8_isRefused() async throws {
        let error = await #expect(throws: PostgresError.self) {
            try await client.migrate([Migration(version: 1, name: "bytes", sql: [0x53, 0xff])])
        }
        #expect(error?.message == "Migration 1 (bytes) is not UTF-8 text")
    }

    /// Each client has connections of its own, as each process does.
    /// Statements that come after the migration do not wait behind it.
    @Test func migration_ofTableInUse_isRetried() async throws {
        try await client.migrate([people])
        var configuration = TestDatabase.current.configuration
        configuration.lockTimeout = .milliseconds(200)
        let migrating = PostgresClient(configuration, logger: .quiet)
        let migration = try await client.transaction { transaction in
            try await transaction.execute("SELECT FROM people")
            let migration = Task { try await migrating.migrate([people, ages]) }
            for _ in 0..<3 { try await transaction.waitUntilBlocking(statement: "%ADD COLUMN%") }
            #expect(try await client.one("SELECT count(*) FROM people") { try $0.decode(Int.self) } == 0)
            return migration
        }
        try await migration.value
        #expect(try await applied() == [1, 2])
    }

    @Test func rewriteOfLargeTable_changesNothing() async throws {
        try await client.migrate([people])
        try await client.execute("INSERT INTO people (name) SELECT repeat('a', 1000) FROM generate_series(1, 100)")
        let rewrite = Migration(
            version: 2,
            name: "rewrite",
            sql: Array(
                "CREATE TABLE others (); ALTER TABLE people ADD COLUMN born timestamptz DEFAULT clock_timestamp()".utf8
            )
        )
        var configuration = TestDatabase.current.configuration
        configuration.largeTable = 10_000
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresClient(configuration, logger: .quiet).migrate([people, rewrite])
        }
        #expect(error?.kind == .migration)
        let message = try #require(error?.message)
        #expect(message.hasPrefix("Migration 2 (rewrite) rewrites the table people ("), "\(message)")
        #expect(message.contains("nothing was changed"))
        #expect(try await applied() == [1])
        let others = try await client.one("SELECT to_regclass('others') IS NULL") { try $0.decode(Bool.self) }
        #expect(others)
        // A column without a rewrite is added to a table of any size, and a small table is rewritten.
        try await PostgresClient(configuration, logger: .quiet).migrate([people, ages])
        try await client.execute("TRUNCATE people")
        var later = rewrite
        later.version = 3
        try await PostgresClient(configuration, logger: .quiet).migrate([people, ages, later])
        #expect(try await applied() == [1, 2, 3])
    }

    @Test func longStatement_changesNothing() async throws {
        try await client.migrate([people])
        let long = Migration(
            version: 2,
            name: "long",
            sql: Array("ALTER TABLE people ADD COLUMN age int; SELECT pg_sleep(600)".utf8)
        )
        var configuration = TestDatabase.current.configuration
        configuration.migrationTimeout = .milliseconds(100)
        let error = await #expect(throws: PostgresError.self) {
            try await PostgresClient(configuration, logger: .quiet).migrate([people, long])
        }
        #expect(error?.message.contains("in batches, outside of migrations") == true)
        #expect(try await applied() == [1])
        try await client.migrate([people, ages])
    }

    @Test func concurrentIndex_isBuilt_alsoAfterFailure() async throws {
        let index = Migration(
            version: 2,
            name: "index",
            sql: Array("CREATE INDEX CONCURRENTLY people_name_idx ON people (name)".utf8)
        )
        let unique = Migration(
            version: 3,
            name: "unique",
            sql: Array("CREATE UNIQUE INDEX CONCURRENTLY people_id_idx ON people ((id / id))".utf8)
        )
        try await client.migrate([people, index])
        try await client.execute("INSERT INTO people VALUES (DEFAULT, 'a'), (DEFAULT, 'b')")
        func indexes() async throws -> [String] {
            try await client.all(
                """
                SELECT indexrelid::regclass::text || CASE WHEN indisvalid THEN '' ELSE ' invalid' END FROM pg_index
                WHERE indrelid = 'people'::regclass ORDER BY 1
                """
            ) { try $0.decode(String.self) }
        }
        let error = await #expect(throws: PostgresError.self) { try await client.migrate([people, index, unique]) }
        #expect(error?.kind == .migration)
        #expect(try await indexes() == ["people_id_idx invalid", "people_name_idx"])
        try await client.execute("DELETE FROM people WHERE name = 'b'")
        try await client.migrate([people, index, unique])
        #expect(try await indexes() == ["people_id_idx", "people_name_idx"])
        #expect(try await applied() == [1, 2, 3])
    }

    @Test func concurrentMigrations_areAppliedOnce() async throws {
        let slow = Migration(
            version: 3,
            name: "slow",
            sql: Array("CREATE TABLE once (id int); SELECT pg_sleep(0.05); INSERT INTO once VALUES (1)".utf8)
        )
        // It waits for all statements that have begun before, also for those that wait.
        let index = Migration(version: 4, name: "index", sql: Array("CREATE INDEX CONCURRENTLY i ON once (id)".utf8))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask { [people, ages] in
                    let client = PostgresClient(TestDatabase.current.configuration, logger: .quiet)
                    try await client.migrate([people, ages, slow, index])
                }
            }
            try await group.waitForAll()
        }
        #expect(try await applied() == [1, 2, 3, 4])
        #expect(try await client.one("SELECT count(*) FROM once") { try $0.decode(Int.self) } == 1)
    }
}
