import Logging
import TestKit
import Testing

@testable import Postgres

@Suite(.database(), .timeLimit(.minutes(5)))
struct PostgresClientTests {
    private var client: PostgresClient { TestDatabase.current.client }

    /// Runs `body` with a client of its own, for tests that need other settings.
    private func withClient<Value: Sendable>(
        _ change: (inout PostgresConfiguration) -> Void,
        _ body: (PostgresClient) async throws -> Value
    ) async throws -> Value {
        var configuration = TestDatabase.current.configuration
        change(&configuration)
        let client = PostgresClient(configuration, logger: .quiet)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            return try await body(client)
        }
    }

    @Test func statements_runAndDecodeRows() async throws {
        try await client.execute("CREATE TABLE people (id bigint PRIMARY KEY, name text NOT NULL, age int)")
        let inserted = try await client.execute(
            "INSERT INTO people VALUES (\(Int64(1)), \("Kim"), \(34)), (2, \("Lee"), \(nil as Int?))"
        )
        #expect(inserted == 2)
        let people = try await client.all("SELECT id, name, age FROM people ORDER BY id") {
            try $0.decode(Int64.self, String.self, Int?.self)
        }
        #expect(people.map(\.0) == [1, 2])
        #expect(people.map(\.1) == ["Kim", "Lee"])
        #expect(people.map(\.2) == [34, nil])
        let name: String = try await client.one("SELECT name FROM people WHERE id = \(2)") { try $0.decode() }
        #expect(name == "Lee")
        let (id, age): (Int64, Int?) = try await client.one("SELECT id, age FROM people WHERE id = 1") {
            try $0.decode()
        }
        #expect((id, age) == (1, 34))
        #expect(try await client.optional("SELECT id FROM people WHERE id = 3") { try $0.decode(Int.self) } == nil)
        #expect(try await client.execute("UPDATE people SET age = 1") == 2)
        #expect(try await client.execute("DELETE FROM people WHERE id = 3") == 0)
    }

    @Test func rowCount_otherThanExpected_throws() async throws {
        let many = await #expect(throws: PostgresError.self) {
            try await client.one("SELECT generate_series(1, 3)") { try $0.decode(Int.self) }
        }
        #expect(many?.kind == .rowCount)
        #expect(many?.description.contains("returned 3 rows where one row was expected") == true)
        await #expect(throws: PostgresError.self) {
            try await client.one("SELECT 1 WHERE false") { try $0.decode(Int.self) }
        }
        await #expect(throws: PostgresError.self) {
            try await client.optional("SELECT generate_series(1, 2)") { try $0.decode(Int.self) }
        }
    }

    @Test func valuesThatLookLikeSQL_areBoundAsValues() async throws {
        try await client.execute("CREATE TABLE people (name text)")
        let names = [
            "'; DROP TABLE people; --", "\" OR 1=1", "$1", "\\'; SELECT pg_sleep(9); --", "%s", "NULL", "{1,2}",
            "\u{202e}",
        ]
        for name in names { try await client.execute("INSERT INTO people VALUES (\(name))") }
        let kept = try await client.all("SELECT name FROM people WHERE name = ANY(\(names))") {
            try $0.decode(String.self)
        }
        #expect(Set(kept) == Set(names))
        let table = "people\"; DROP TABLE people; --"
        try await client.execute("CREATE TABLE \(identifier: table) (id int)")
        #expect(try await client.one("SELECT count(*) FROM people") { try $0.decode(Int.self) } == names.count)
        #expect(
            try await client.one("SELECT count(*) FROM pg_tables WHERE tablename = \(table)") {
                try $0.decode(Int.self)
            } == 1
        )
    }

    @Test func failedStatement_doesNotAffectOthers() async throws {
        try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY CHECK (n >= 0))")
        // All statements are in flight at once on the same connections; every third fails, in one of several ways.
        let outcomes = try await withThrowingTaskGroup(of: (Int, PostgresError?).self) { group in
            for n in 0..<300 {
                group.addTask { [client] in
                    do {
                        switch n % 9 {
                        case 2: try await client.execute("INSERT INTO numbers VALUES (\(-n))")
                        case 5: try await client.execute("INSERT INTO nowhere VALUES (\(n))")
                        case 8: try await client.execute("SELECT 1 / (\(n) - \(n))")
                        default: try await client.execute("INSERT INTO numbers VALUES (\(n))")
                        }
                        return (n, nil)
                    } catch let error as PostgresError {
                        return (n, error)
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        #expect(outcomes.keys.sorted() == (0..<300).filter { $0 % 3 == 2 })
        #expect(outcomes[2]?.violates("numbers_n_check") == true)
        #expect(outcomes[5]?.sqlState == .undefinedTable)
        #expect(outcomes[8]?.sqlState == "22012")
        #expect(try await client.one("SELECT count(*) FROM numbers") { try $0.decode(Int.self) } == 200)
    }

    @Test func tenThousandConcurrentStatements_succeed() async throws {
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for n in 0..<10_000 {
                group.addTask { [client] in
                    try await client.one("SELECT \(n), \("text \(n)")") { row in
                        let (number, text) = try row.decode(Int.self, String.self)
                        #expect(text == "text \(number)")
                        return number
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 10_000 * 9_999 / 2)
    }

    @Test func batch_isAtomic() async throws {
        try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)")
        #expect(try await client.batch([]) == [])
        let rows = try await client.batch([
            "INSERT INTO numbers VALUES (1), (2)", "UPDATE numbers SET n = n + \(10)",
            "DELETE FROM numbers WHERE n = 11",
        ])
        #expect(rows == [2, 2, 1])
        let error = await #expect(throws: PostgresError.self) {
            try await client.batch(["INSERT INTO numbers VALUES (3)", "INSERT INTO numbers VALUES (12)", "SELECT 1"])
        }
        #expect(error?.violates("numbers_pkey") == true)
        let left = try await client.all("SELECT n FROM numbers") { try $0.decode(Int.self) }
        #expect(left == [12])
    }

    @Test func deferredConstraint_failsStatement() async throws {
        try await client.batch([
            "CREATE TABLE people (id int PRIMARY KEY)",
            "CREATE TABLE pets (owner int CONSTRAINT pets_owner_fkey REFERENCES people DEFERRABLE INITIALLY DEFERRED)",
        ])
        let error = await #expect(throws: PostgresError.self) {
            try await client.execute("INSERT INTO pets VALUES (1)")
        }
        #expect(error?.violates("pets_owner_fkey") == true)
        let transaction = await #expect(throws: PostgresError.self) {
            try await client.transaction { try await $0.execute("INSERT INTO pets VALUES (1)") }
        }
        #expect(transaction?.violates("pets_owner_fkey") == true)
        _ = try await client.batch(["INSERT INTO pets VALUES (1)", "INSERT INTO people VALUES (1)"])
        #expect(try await client.one("SELECT count(*) FROM pets") { try $0.decode(Int.self) } == 1)
    }

    @Test func errors_doNotContainValues() async throws {
        try await client.execute("CREATE TABLE people (phone text UNIQUE, age int)")
        try await client.execute("INSERT INTO people VALUES (\("010-1234"), 1)")
        let statements: [SQL] = [
            "INSERT INTO people VALUES (\("010-1234"), 2)", "SELECT \("010-1234")::uuid", "SELECT \("010-1234")::int",
            "SELECT \("{010-1234}")::jsonb", "SELECT \("010-1234")::timestamptz",
        ]
        for statement in statements {
            let error = await #expect(throws: PostgresError.self) { try await client.execute(statement) }
            #expect(error?.description.contains("1234") == false, "\(error?.description ?? "")")
            #expect(error?.description.contains("$1") == true)
        }
    }

    @Test func changedTable_statementIsPreparedAgain() async throws {
        try await client.execute("CREATE TABLE people (id int, name text)")
        try await client.execute("INSERT INTO people VALUES (1, 'Kim')")
        try await withClient {
            $0.sharedConnections = 1
        } _: { client in
            let before = try await client.one("SELECT * FROM people") { try $0.decode(Int.self, String.self) }
            #expect(before == (1, "Kim"))
            try await client.execute("ALTER TABLE people ADD COLUMN age int")
            // The plan of the prepared statement is no longer valid, for many concurrent calls.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let row = try await client.one("SELECT * FROM people") {
                            try $0.decode(Int.self, String.self, Int?.self)
                        }
                        #expect(row == (1, "Kim", nil))
                    }
                }
                try await group.waitForAll()
            }
            try await client.transaction { transaction in
                _ = try await transaction.one("SELECT * FROM people") {
                    try $0.decode(Int.self, String.self, Int?.self)
                }
            }
            try await client.execute("ALTER TABLE people DROP COLUMN name")
            try await client.transaction { transaction in
                let row = try await transaction.one("SELECT * FROM people") { try $0.decode(Int.self, Int?.self) }
                #expect(row == (1, nil))
            }
        }
    }

    @Test func deallocatedStatement_isPreparedAgain() async throws {
        try await withClient {
            $0.writeConnections = 1
        } _: { client in
            try await client.execute("CREATE TABLE numbers (n int)")
            #expect(try await client.execute("INSERT INTO numbers VALUES (\(1))") == 1)
            try await client.execute("DEALLOCATE ALL")
            #expect(try await client.execute("INSERT INTO numbers VALUES (\(2))") == 1)
        }
    }

    @Test func preparedStatements_areBounded() async throws {
        try await withClient {
            $0.sharedConnections = 1
        } _: { client in
            for n in 0..<500 { try await client.execute("SELECT 1 AS \(identifier: "column \(n)")") }
            let prepared = try await client.one("SELECT count(*) FROM pg_prepared_statements") {
                try $0.decode(Int.self)
            }
            #expect(prepared <= 200)
            #expect(prepared > 100)
        }
    }

    @Test func statement_beyondTimeout_isCancelled() async throws {
        try await withClient {
            $0.statementTimeout = .milliseconds(100)
        } _: { (client) async throws in
            async let neighbour = client.one("SELECT 1") { try $0.decode(Int.self) }
            let error = await #expect(throws: PostgresError.self) { try await client.execute("SELECT pg_sleep(60)") }
            #expect(error?.sqlState == .queryCanceled)
            #expect(try await neighbour == 1)
            #expect(try await client.one("SELECT 2") { try $0.decode(Int.self) } == 2)
        }
    }

    @Test func cancelledTask_throws_andConnectionContinues() async throws {
        try await withClient {
            $0.sharedConnections = 1
        } _: { client in
            let task = Task { try await client.execute("SELECT pg_sleep(0.2)") }
            try await Task.sleep(for: .milliseconds(20))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try await client.one("SELECT 1") { try $0.decode(Int.self) } == 1)

            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await client.execute("CREATE TABLE never (id int)")
            }
            await #expect(throws: CancellationError.self) { try await early.value }
        }
    }

    /// More writes than connections wait for a row; reads do not wait for them.
    @Test func waitingWrites_delayNoRead() async throws {
        try await client.execute("CREATE TABLE posts (id int PRIMARY KEY, likes int NOT NULL)")
        try await client.execute("INSERT INTO posts VALUES (1, 0), (2, 0)")
        try await withClient {
            $0.leaseTimeout = .seconds(60)
        } _: { other in
            let likes = try await client.transaction { transaction in
                try await transaction.execute("SELECT FROM posts WHERE id = 1 FOR UPDATE")
                let likes = (0..<20).map { _ in
                    Task { try await other.execute("UPDATE posts SET likes = likes + 1 WHERE id = 1") }
                }
                try await transaction.waitUntilBlocking(other.configuration.writeConnections)
                for _ in 0..<200 {
                    #expect(
                        try await other.one("SELECT likes FROM posts WHERE id = 2") { try $0.decode(Int.self) } == 0
                    )
                }
                return likes
            }
            for like in likes { #expect(try await like.value == 1) }
        }
        #expect(try await client.one("SELECT likes FROM posts WHERE id = 1") { try $0.decode(Int.self) } == 20)
    }

    /// All that wait for one post take half of the connections; a write and a transaction of others find one.
    @Test func waitingForOneKey_leavesConnectionsForOthers() async throws {
        try await client.execute("CREATE TABLE posts (id int PRIMARY KEY, likes int NOT NULL)")
        try await client.execute("INSERT INTO posts VALUES (1, 0), (2, 0)")
        let like: SQL = "UPDATE posts SET likes = likes + 1 WHERE id = 1"
        try await withClient {
            $0.leaseTimeout = .seconds(60)
        } _: { other in
            let likes = try await client.transaction { transaction in
                try await transaction.execute("SELECT FROM posts WHERE id = 1 FOR UPDATE")
                let writes = (0..<20).map { _ in Task { try await other.limited(to: "post 1").execute(like) } }
                let transactions = (0..<20).map { _ in
                    Task { try await other.transaction(key: "post 1") { try await $0.execute(like) } }
                }
                let configuration = other.configuration
                try await transaction.waitUntilBlocking(
                    configuration.writeConnections / 2 + configuration.leasedConnections / 2
                )
                #expect(try await other.execute("UPDATE posts SET likes = 5 WHERE id = 2") == 1)
                try await other.transaction { _ = try await $0.execute("UPDATE posts SET likes = 6 WHERE id = 2") }
                return writes + transactions
            }
            for like in likes { #expect(try await like.value == 1) }
        }
        #expect(try await client.one("SELECT likes FROM posts WHERE id = 1") { try $0.decode(Int.self) } == 40)
    }

    @Test func lock_notFreeInTime_throws() async throws {
        try await client.execute("CREATE TABLE posts (id int PRIMARY KEY)")
        try await client.execute("INSERT INTO posts VALUES (1)")
        try await withClient {
            $0.lockTimeout = .milliseconds(20)
        } _: { impatient in
            try await client.transaction { transaction in
                try await transaction.execute("SELECT FROM posts WHERE id = 1 FOR UPDATE")
                for attempt in [
                    { try await impatient.execute("DELETE FROM posts WHERE id = 1") },
                    { try await impatient.transaction { try await $0.execute("DELETE FROM posts WHERE id = 1") } },
                ] {
                    let error = await #expect(throws: PostgresError.self) { _ = try await attempt() }
                    #expect(error?.sqlState == .lockNotAvailable)
                }
            }
            #expect(try await impatient.execute("DELETE FROM posts WHERE id = 1") == 1)
        }
    }

    @Test func copy_isRefused_andNextStatementRuns() async throws {
        try await client.execute("CREATE TABLE people (id int)")
        let error = await #expect(throws: PostgresError.self) { try await client.execute("COPY people FROM STDIN") }
        #expect(error?.description.contains("COPY is not supported") == true)
        #expect(try await client.one("SELECT 1") { try $0.decode(Int.self) } == 1)
    }

    @Test func largeValues_areSentAndReceived() async throws {
        let text = String(repeating: "마당", count: 1_000_000)
        let lengths = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                group.addTask { [client] in
                    try await client.one("SELECT \(text), repeat('x', 100)") {
                        try $0.decode(String.self, String.self).0.utf8.count
                    }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(lengths == Array(repeating: 6_000_000, count: 4))
    }

    @Test func ping_serverUp_succeeds() async throws {
        _ = try await client.one("SELECT 1") { try $0.decode(Int.self) }
        try await client.ping()
    }

    @Test func session_hasConfiguredSettings() async throws {
        let (schema, name, timeout) = try await client.one(
            "SELECT current_schema(), current_setting('application_name'), current_setting('statement_timeout')"
        ) { try $0.decode(String.self, String.self, String.self) }
        #expect(schema == TestDatabase.current.configuration.schema)
        #expect(name == "test")
        #expect(timeout == "10s")
    }
}
