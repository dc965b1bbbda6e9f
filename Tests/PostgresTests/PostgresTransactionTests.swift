import TestKit
import Testing

@testable import Postgres

@Suite(.database(), .timeLimit(.minutes(5)))
struct PostgresTransactionTests {
    private struct Refusal: Error, Equatable {}

    private var client: PostgresClient { TestDatabase.current.client }

    private func count(_ querying: some Querying) async throws -> Int {
        try await querying.one("SELECT count(*) FROM numbers") { try $0.decode(Int.self) }
    }

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

    @Test func unusedConnections_areClosed() async throws {
        let name = "unused \(UInt64.random(in: 0 ... .max))"
        func connections() async throws -> Int {
            try await client.one("SELECT count(*) FROM pg_stat_activity WHERE application_name = \(name)") {
                try $0.decode(Int.self)
            }
        }
        try await withClient {
            $0.applicationName = name
            $0.cache = nil
            $0.idleLeaseTimeout = .milliseconds(100)
        } _: { other in
            try await other.execute("SELECT 1")
            let shared = try await connections()
            try await other.transaction { outer in
                try await outer.execute("SELECT 1")
                try await other.transaction { try await $0.execute("SELECT 1") }
                #expect(try await connections() > shared)
            }
            try await eventually { try await connections() <= other.configuration.sharedConnections }
        }
    }

    @Test func transaction_bodyReturns_commits() async throws {
        try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)")
        let seen = try await client.transaction { transaction in
            try await transaction.execute("INSERT INTO numbers VALUES (1)")
            #expect(try await count(client) == 0, "other connections see no row before the commit")
            return try await count(transaction)
        }
        #expect(seen == 1)
        #expect(try await count(client) == 1)
    }

    /// So that no statement changes threads.
    @Test func body_runsOnTheThreadOfTheConnections() async throws {
        let loop = PostgresEventLoop.shared
        try await withClient {
            $0.runsTransactionsOnLoop = true
        } _: { client in
            try await client.transaction { transaction in
                #expect(loop.isIsolatingCurrentContext() == true)
                try await transaction.execute("SELECT 1")
                #expect(loop.isIsolatingCurrentContext() == true)
                async let other = client.execute("SELECT 1")
                #expect(try await other == 1)
                #expect(loop.isIsolatingCurrentContext() == true)
            }
            #expect(loop.isIsolatingCurrentContext() == false)
            await #expect(throws: Refusal.self) { try await client.transaction { _ in throw Refusal() } }
            #expect(loop.isIsolatingCurrentContext() == false)
        }
    }

    private actor Account {
        var balance = 0

        func earn(_ amount: Int, with client: PostgresClient) async throws -> Int {
            try await client.transaction { transaction in
                balance += try await transaction.one("SELECT \(amount)") { try $0.decode(Int.self) }
                return balance
            }
        }
    }

    @Test func body_ofAnActor_usesItsState() async throws {
        let account = Account()
        try await withClient {
            $0.runsTransactionsOnLoop = true
        } _: { client in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<50 { group.addTask { _ = try await account.earn(2, with: client) } }
                try await group.waitForAll()
            }
        }
        #expect(await account.balance == 100)
    }

    @Test func transaction_bodyThrows_rollsBack() async throws {
        try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)")
        await #expect(throws: Refusal.self) {
            try await client.transaction { transaction in
                try await transaction.execute("INSERT INTO numbers VALUES (1)")
                throw Refusal()
            }
        }
        #expect(try await count(client) == 0)
    }

    @Test func emptyTransaction_returnsOrRethrows() async throws {
        #expect(try await client.transaction { _ in 7 } == 7)
        await #expect(throws: Refusal.self) { try await client.transaction { _ in throw Refusal() } }
    }

    @Test func caughtStatementError_preventsCommit() async throws {
        try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)")
        let error = await #expect(throws: PostgresError.self) {
            try await client.transaction { transaction in
                try await transaction.execute("INSERT INTO numbers VALUES (1)")
                _ = try? await transaction.execute("INSERT INTO numbers VALUES (1)")
            }
        }
        #expect(error?.violates("numbers_pkey") == true)
        #expect(try await count(client) == 0)
    }

    @Test func escapedTransaction_afterCommit_isClosed() async throws {
        let escaped = try await client.transaction { transaction in
            try await transaction.execute("SELECT 1")
            return transaction
        }
        let error = await #expect(throws: PostgresError.self) { try await escaped.execute("SELECT 1") }
        #expect(error?.kind == .closed)
    }

    @Test(arguments: [
        (PostgresIsolation.readCommitted, "read committed"), (.repeatableRead, "repeatable read"),
        (.serializable, "serializable"),
    ])
    func transaction_runsAtRequestedIsolation(isolation: PostgresIsolation, name: String) async throws {
        let (level, _) = try await client.transaction(isolation: isolation) { transaction in
            try await transaction.one("SELECT current_setting('transaction_isolation'), 1") {
                try $0.decode(String.self, Int.self)
            }
        }
        #expect(level == name)
    }

    /// Reads, computes and writes: updates are lost unless the conflict is detected and the transaction repeated.
    @Test(arguments: [PostgresIsolation.repeatableRead, .serializable])
    func conflictingTransaction_isRepeated(isolation: PostgresIsolation) async throws {
        try await client.execute("CREATE TABLE counter (value int NOT NULL)")
        try await client.execute("INSERT INTO counter VALUES (0)")
        let attempts = try await withClient {
            $0.transactionAttempts = 1000
        } _: { client in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        var attempts = 0
                        try await client.transaction(isolation: isolation) { transaction in
                            attempts += 1
                            let value = try await transaction.one("SELECT value FROM counter") {
                                try $0.decode(Int.self)
                            }
                            try await transaction.execute("UPDATE counter SET value = \(value + 1)")
                        }
                        return attempts
                    }
                }
                return try await group.reduce(0, +)
            }
        }
        #expect(try await client.one("SELECT value FROM counter") { try $0.decode(Int.self) } == 20)
        #expect(attempts > 20, "the test needs at least one conflict")
    }

    @Test func deadlock_isRepeated() async throws {
        try await client.execute("CREATE TABLE accounts (id int PRIMARY KEY, balance int NOT NULL)")
        try await client.execute("INSERT INTO accounts VALUES (1, 100), (2, 100)")
        let bothHold = Rendezvous(2)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (first, second) in [(1, 2), (2, 1)] {
                group.addTask { [client] in
                    var isFirstAttempt = true
                    try await client.transaction { transaction in
                        try await transaction.execute("SET LOCAL deadlock_timeout = '10ms'")
                        try await transaction.execute("UPDATE accounts SET balance = balance - 1 WHERE id = \(first)")
                        // Each transaction holds the row that the other one updates next.
                        if isFirstAttempt { await bothHold.arrive() }
                        isFirstAttempt = false
                        try await transaction.execute("UPDATE accounts SET balance = balance + 1 WHERE id = \(second)")
                    }
                }
            }
            try await group.waitForAll()
        }
        let balances = try await client.all("SELECT balance FROM accounts ORDER BY id") { try $0.decode(Int.self) }
        #expect(balances == [100, 100])
    }

    @Test func conflict_afterLastAttempt_throws() async throws {
        let attempts = try await withClient {
            $0.transactionAttempts = 3
        } _: { client in
            var attempts = 0
            let error = await #expect(throws: PostgresError.self) {
                try await client.transaction { transaction in
                    attempts += 1
                    try await transaction.execute("DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$")
                }
            }
            #expect(error?.sqlState == .serializationFailure)
            let single = await #expect(throws: PostgresError.self) {
                try await client.execute("DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40P01'; END $$")
            }
            #expect(single?.sqlState == .deadlockDetected)
            _ = try await client.one("SELECT 1") { try $0.decode(Int.self) }
            return attempts
        }
        #expect(attempts == 3)
    }

    @Test func conflict_wrappedInOtherError_isRepeated() async throws {
        var attempts = 0
        try await client.transaction { transaction in
            attempts += 1
            guard attempts == 1 else { return }
            do {
                try await transaction.execute("DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$")
            } catch {
                throw Refusal()
            }
        }
        #expect(attempts == 2)
    }

    @Test func transactions_waitForConnection() async throws {
        try await withClient {
            $0.leasedConnections = 2
        } _: { client in
            let backends = try await withThrowingTaskGroup(of: Int32.self) { group in
                for _ in 0..<50 {
                    group.addTask {
                        try await client.transaction { transaction in
                            try await transaction.one("SELECT pg_backend_pid()") { try $0.decode(Int32.self) }
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(backends.count <= 2)
        }
    }

    @Test func noFreeConnection_timesOut() async throws {
        try await withClient {
            $0.leasedConnections = 1
            $0.leaseTimeout = .milliseconds(300)
        } _: { (client) async throws in
            let error = await #expect(throws: PostgresError.self) {
                try await client.transaction { outer in
                    try await outer.execute("SELECT 1")
                    // The outer transaction uses the only connection.
                    try await client.transaction { try await $0.execute("SELECT 2") }
                }
            }
            #expect(error?.kind == .unavailable)
            #expect(error?.message.contains("All 1 connections for transactions were busy") == true)
            #expect(
                try await client.transaction { try await $0.execute("SELECT 3") } == 1,
                "the connection is free again"
            )
        }
    }

    @Test func cancelledWaiter_leavesQueue() async throws {
        try await withClient {
            $0.leasedConnections = 1
        } _: { client in
            let isHeld = Rendezvous(2)
            let mayEnd = Rendezvous(2)
            let holder = Task {
                try await client.transaction { transaction in
                    try await transaction.execute("SELECT 1")
                    await isHeld.arrive()
                    await mayEnd.arrive()
                }
            }
            await isHeld.arrive()
            let waiter = Task { try await client.transaction { try await $0.execute("SELECT 2") } }
            try await Task.sleep(for: .milliseconds(20))
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }
            await mayEnd.arrive()
            try await holder.value
            #expect(try await client.transaction { try await $0.execute("SELECT 3") } == 1)
        }
    }

    @Test func cancelledTransaction_isCancelledOnServer_andRolledBack() async throws {
        try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)")
        try await withClient {
            $0.leasedConnections = 1
            $0.statementTimeout = .seconds(120)
        } _: { client in
            let isRunning = Rendezvous(2)
            let task = Task {
                try await client.transaction { transaction in
                    try await transaction.execute("INSERT INTO numbers VALUES (1)")
                    await isRunning.arrive()
                    try await transaction.execute("SELECT pg_sleep(110)")
                }
            }
            await isRunning.arrive()
            try await Task.sleep(for: .milliseconds(50))
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            // The same connection serves the next transaction at once, after the rollback.
            let (state, rows) = try await client.transaction { transaction in
                try await transaction.one(
                    "SELECT count(*) FILTER (WHERE query LIKE 'SELECT pg_sleep(110)%' AND state = 'active'), (SELECT count(*) FROM numbers) FROM pg_stat_activity"
                ) { try $0.decode(Int.self, Int.self) }
            }
            #expect(state == 0)
            #expect(rows == 0)
        }
    }

    @Test func cancelledStatement_preventsCommit() async throws {
        try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)")
        await #expect(throws: CancellationError.self) {
            try await client.transaction { transaction in
                try await transaction.execute("INSERT INTO numbers VALUES (1)")
                let part = Task { try await transaction.execute("INSERT INTO numbers SELECT 2 FROM pg_sleep(0.05)") }
                try await Task.sleep(for: .milliseconds(5))
                part.cancel()
                _ = try? await part.value
            }
        }
        #expect(try await count(client) == 0)
    }

    @Test func connection_afterFailedTransaction_isReturnedClean() async throws {
        try await withClient {
            $0.leasedConnections = 1
        } _: { client in
            for round in 0..<5 {
                _ = try? await client.transaction { transaction in
                    try await transaction.execute("CREATE TEMPORARY TABLE left_over (id int)")
                    if round % 2 == 0 { throw Refusal() }
                    try await transaction.execute("SELECT 1 / 0")
                }
                let open = try await client.transaction { transaction in
                    try await transaction.one("SELECT count(*) FROM pg_class WHERE relname = 'left_over'") {
                        try $0.decode(Int.self)
                    }
                }
                #expect(open == 0)
            }
        }
    }

    @Test func concurrentStatements_inOneTransaction_succeed() async throws {
        try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)")
        try await client.transaction { transaction in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for n in 0..<100 {
                    group.addTask { try await transaction.execute("INSERT INTO numbers VALUES (\(n))") }
                }
                try await group.waitForAll()
            }
        }
        #expect(try await count(client) == 100)
    }
}
