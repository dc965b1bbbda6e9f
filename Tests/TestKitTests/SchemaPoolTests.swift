import Logging
import Postgres
import Synchronization
import Testing

@testable import TestKit

/// A schema that is taken again is in its initial state.
@Suite(.enabled(if: !TestServer.isShared), .timeLimit(.minutes(2))) struct SchemaPoolTests {
    private static let script = """
        CREATE TABLE kinds (name text PRIMARY KEY, rank int NOT NULL);
        INSERT INTO kinds VALUES ('one', 1), ('two', 2);
        CREATE TABLE notes (
            id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
            kind text NOT NULL REFERENCES kinds,
            reply_to bigint REFERENCES notes
        );
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'kept for ever'; END $$;
        CREATE TRIGGER keep BEFORE DELETE OR TRUNCATE ON notes EXECUTE FUNCTION refuse();
        """

    /// Migrations unique to a test: schemas are shared among tests with the same migrations.
    private func migrations(_ test: String) -> [Migration] {
        [Migration(version: 1, name: "notes", sql: Array("-- \(test)\n\(Self.script)".utf8))]
    }

    private func write(in database: TestDatabase) async throws -> [Int64] {
        try await database.client.all(
            "INSERT INTO notes (kind, reply_to) VALUES ('one', NULL), ('two', 1) RETURNING id"
        ) { try $0.decode(Int64.self) }
    }

    @Test func returnedSchema_isReset() async throws {
        let migrations = migrations("next")
        let first = try await SchemaPool.shared.take(migrations)
        let schema = first.database.configuration.schema
        #expect(try await write(in: first.database) == [1, 2])
        try await first.database.client.execute("UPDATE kinds SET rank = 9")
        try await first.database.client.execute("INSERT INTO kinds VALUES ('three', 3)")
        try await SchemaPool.shared.giveBack(first)

        let second = try await SchemaPool.shared.take(migrations)
        #expect(second.database.configuration.schema == schema)
        let kinds = try await second.database.client.all("SELECT name, rank FROM kinds ORDER BY rank") {
            try $0.decode(as: (String, Int).self)
        }
        #expect(kinds.map(\.0) == ["one", "two"] && kinds.map(\.1) == [1, 2])
        #expect(try await write(in: second.database) == [1, 2])
        await #expect(throws: PostgresError.self) { try await second.database.client.execute("DELETE FROM notes") }
        try await SchemaPool.shared.giveBack(second)
    }

    @Test func returnedSchema_hasNoStatistics() async throws {
        let migrations = migrations("statistics")
        let first = try await SchemaPool.shared.take(migrations)
        _ = try await write(in: first.database)
        try await first.database.client.execute("ANALYZE notes, kinds")
        try await SchemaPool.shared.giveBack(first)
        let second = try await SchemaPool.shared.take(migrations)
        #expect(second.database.configuration.schema == first.database.configuration.schema)
        let (statistics, rows) = try await second.database.client.one(
            """
            SELECT (SELECT count(*) FROM pg_stats WHERE schemaname = current_schema()),
                (SELECT max(reltuples)::bigint FROM pg_class
                    WHERE relnamespace = current_schema()::regnamespace AND relname IN ('notes', 'kinds'))
            """
        ) { try $0.decode(as: (Int, Int).self) }
        #expect(statistics == 0 && rows == -1)
        try await SchemaPool.shared.giveBack(second)
    }

    @Test(arguments: [
        "ALTER TABLE notes ADD COLUMN text text", "ALTER TABLE notes RENAME COLUMN kind TO sort", "DROP TABLE notes",
        "ALTER TABLE notes DISABLE TRIGGER keep", "CREATE INDEX ON notes (kind)", "CREATE TABLE more (id int)",
        "CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$",
        "ALTER TABLE notes DROP CONSTRAINT notes_kind_fkey",
    ])
    func alteredSchema_isDropped(change: String) async throws {
        let migrations = migrations(change)
        let first = try await SchemaPool.shared.take(migrations)
        let schema = try #require(first.database.configuration.schema)
        try await first.database.client.execute(SQL(stringLiteral: change))
        try await SchemaPool.shared.giveBack(first)
        let isThere = try await TestServer.admin.one("SELECT to_regnamespace(\(schema)) IS NOT NULL") {
            try $0.decode(Bool.self)
        }
        #expect(!isThere)
        let second = try await SchemaPool.shared.take(migrations)
        #expect(try await write(in: second.database) == [1, 2])
        try await SchemaPool.shared.giveBack(second)
    }

    @Test func openConnections_onReturn_areTerminated() async throws {
        let migrations = migrations("sessions")
        let first = try await SchemaPool.shared.take(migrations)
        let other = PostgresClient(first.database.configuration, logger: .quiet)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await other.run() }
            let isLocked = Rendezvous(2)
            let attempts = Mutex(0)
            group.addTask {
                await #expect(throws: SessionHasEnded.self) {
                    try await other.transaction { transaction in
                        // A transaction whose session was ended is run again.
                        attempts.withLock { $0 += 1 }
                        guard attempts.withLock({ $0 == 1 }) else { throw SessionHasEnded() }
                        try await transaction.execute("LOCK TABLE notes")
                        await isLocked.arrive()
                        try await transaction.execute("SELECT pg_sleep(60)")
                    }
                }
            }
            await isLocked.arrive()
            try await SchemaPool.shared.giveBack(first)
            try await group.next()
            group.cancelAll()
        }
        let second = try await SchemaPool.shared.take(migrations)
        #expect(second.database.configuration.schema == first.database.configuration.schema)
        #expect(try await write(in: second.database) == [1, 2])
        try await SchemaPool.shared.giveBack(second)
    }
}

private struct SessionHasEnded: Error {}
