import Crypto
import Logging
import Values

/// A migration of the schema: a numbered script that is applied once and never edited afterwards.
package struct Migration: Sendable {
    package var version: Int
    package var name: String
    /// Statements separated by semicolons, run in one transaction. A script that begins with `CREATE [UNIQUE] INDEX
    /// CONCURRENTLY` is one statement, run outside of a transaction, so that the table can be written meanwhile.
    package var sql: [UInt8]

    package init(version: Int, name: String, sql: [UInt8]) {
        self.version = version
        self.name = name
        self.sql = sql
    }

    var checksum: [UInt8] { Array(SHA256.hash(data: sql)) }
}

/// Applies the missing migrations in order, in one transaction each, while holding a lock against other processes.
///
/// A migration waits for the locks of its tables only for a moment, and tries again later: what waits for a lock holds up
/// all statements that come after it. For the same reason a statement ends after `migrationTimeout`, and a migration that
/// rewrites a large table is rolled back.
struct Migrator {
    let connection: PostgresConnection
    let configuration: PostgresConfiguration
    let logger: Logger

    /// The maximum number of attempts to lock the tables of a migration; more than five minutes of them.
    private static let attempts = 60

    func migrate(_ migrations: [Migration]) async throws {
        guard zip(migrations, migrations.dropFirst()).allSatisfy({ $0.version < $1.version }) else {
            throw PostgresError(.migration, "The versions of the migrations do not ascend")
        }
        try await lock()
        try await connection.run([
            """
            CREATE TABLE IF NOT EXISTS schema_migrations (
                version bigint PRIMARY KEY,
                name text NOT NULL,
                sha256 bytea NOT NULL,
                applied_at timestamptz NOT NULL DEFAULT now()
            )
            """
        ])
        let applied = try await appliedMigrations()
        try check(migrations, against: applied)
        for migration in migrations where applied[migration.version] == nil {
            try await apply(migration)
        }
        try await connection.run([
            "SELECT pg_advisory_unlock(hashtextextended('migrations of ' || current_schema(), 0))"
        ])
    }

    /// Waits until no other process migrates. The lock is of the session, so that it is released with the connection in
    /// every case.
    private func lock() async throws {
        // A statement that waits for the lock would be waited for by `CREATE INDEX CONCURRENTLY` of the process that has it.
        let lock: SQL = "SELECT pg_try_advisory_lock(hashtextextended('migrations of ' || current_schema(), 0))"
        while let result = try await connection.run([lock]), try !Row(result, 0).decode(Bool.self) {
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    private func appliedMigrations() async throws -> [Int: (name: String, checksum: [UInt8])] {
        let result = try await connection.run(["SELECT version, name, sha256 FROM schema_migrations ORDER BY version"])
        var applied: [Int: (name: String, checksum: [UInt8])] = [:]
        for index in 0..<(result?.rowCount ?? 0) {
            guard let result else { break }
            let (version, name, checksum) = try Row(result, index).decode(Int.self, String.self, [UInt8].self)
            applied[version] = (name, checksum)
        }
        return applied
    }

    private func check(
        _ migrations: [Migration],
        against applied: [Int: (name: String, checksum: [UInt8])]
    ) throws {
        let newest = applied.keys.max() ?? .min
        for migration in migrations {
            if let known = applied[migration.version] {
                guard known.checksum == migration.checksum else {
                    throw PostgresError(
                        .migration,
                        "Migration \(migration.version) (\(migration.name)) was changed after it had been applied. "
                            + "Restore it and put the change into a new migration."
                    )
                }
            } else if migration.version < newest {
                throw PostgresError(
                    .migration,
                    "Migration \(migration.version) (\(migration.name)) is new but comes before \(newest), "
                        + "which has been applied. Give it a higher version."
                )
            }
        }
        // A newer version of the program may have migrated the database; migrations only add.
        for version in applied.keys.sorted() where !migrations.contains(where: { $0.version == version }) {
            logger.warning("migrations: database newer than program", metadata: ["migration": "\(version)"])
        }
    }

    private func apply(_ migration: Migration) async throws {
        guard let script = String(validating: migration.sql, as: UTF8.self) else {
            throw PostgresError(.migration, "Migration \(migration.version) (\(migration.name)) is not UTF-8 text")
        }
        var backoff = Backoff(from: .milliseconds(100), to: .seconds(5))
        for count in 1... {
            do {
                try await attempt(migration, script)
                break
            } catch let error as PostgresError where error.sqlState == .lockNotAvailable && count < Self.attempts {
                logger.warning("migrations: a table is in use, will retry", metadata: ["name": "\(migration.name)"])
                try await connection.run(["ROLLBACK"])
                try await Task.sleep(for: backoff.next())
            } catch let error as PostgresError where error.sqlState == .queryCanceled {
                throw PostgresError(
                    .migration,
                    "Migration \(migration.version) (\(migration.name)) has a statement of more than "
                        + "\(configuration.migrationTimeout), which locks its tables that long; nothing was changed. "
                        + "Change the rows in batches, outside of migrations.",
                    sqlState: error.sqlState
                )
            } catch let error as PostgresError where error.kind == .refused {
                throw PostgresError(
                    .migration,
                    "Migration \(migration.version) (\(migration.name)) failed: \(error)",
                    sqlState: error.sqlState
                )
            }
        }
        logger.info("migrations: migration applied", metadata: ["migration": "\(migration.version) \(migration.name)"])
    }

    private func attempt(_ migration: Migration, _ script: String) async throws {
        let record: SQL = """
            INSERT INTO schema_migrations (version, name, sha256)
            VALUES (\(migration.version), \(migration.name), \(migration.checksum))
            """
        if script.hasPrefix("CREATE INDEX CONCURRENTLY") || script.hasPrefix("CREATE UNIQUE INDEX CONCURRENTLY") {
            try await dropInvalidIndexes()
            try await connection.run(script: script)
            try await connection.run([record])
        } else {
            try await connection.run([
                "BEGIN",
                """
                SELECT set_config('lock_timeout', \(configuration.lockTimeout.wholeMilliseconds), true),
                    set_config('statement_timeout', \(configuration.migrationTimeout.wholeMilliseconds), true)
                """,
            ])
            let tables = try await RewriteGuard(connection, largerThan: configuration.largeTable)
            try await connection.run(script: script)
            if let table = try await tables.rewritten {
                throw PostgresError(
                    .migration,
                    "Migration \(migration.version) (\(migration.name)) rewrites the table \(table), which cannot be "
                        + "used meanwhile; nothing was changed. Add a column or a table beside it, and fill it in "
                        + "batches."
                )
            }
            try await connection.run([record, "COMMIT"])
        }
    }

    /// Drops what a failed `CREATE INDEX CONCURRENTLY` has left behind.
    private func dropInvalidIndexes() async throws {
        let result = try await connection.run([
            """
            SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
            WHERE NOT i.indisvalid AND c.relnamespace = current_schema()::regnamespace
            """
        ])
        guard let result else { return }
        for index in 0..<result.rowCount {
            let name = try Row(result, index).decode(String.self)
            try await connection.run(["DROP INDEX CONCURRENTLY \(identifier: name)"])
        }
    }
}
