package import Logging
import Metrics
import ServiceLifecycle
import Tracing
import Values

/// The client of one database: reads on shared, pipelined connections, where no statement waits for a lock, so that none
/// waits behind another; single writes and transactions on leased ones, announcements on one of its own. It runs as a
/// service; calls made before it is connected wait for the connection.
package final class PostgresClient: Querying, Service {
    private let connector: PostgresConnector
    private let shared: SharedConnections
    private let writing: LeasedConnections
    private let leased: LeasedConnections
    private let metrics = PostgresMetrics()
    private let logger: Logger
    private let logsStatements: Bool

    package let configuration: PostgresConfiguration
    /// Wakes the copies of the service.
    package let announcer: any Announcer

    package init(_ configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        self.logsStatements = logger.logLevel <= .debug
        self.connector = PostgresConnector(configuration: configuration)
        self.shared = SharedConnections(connector, logger: logger, metrics: metrics)
        self.writing = LeasedConnections(
            connector,
            for: .writing,
            limit: configuration.writeConnections,
            metrics: metrics
        )
        self.leased = LeasedConnections(
            connector,
            for: .leasing,
            limit: configuration.leasedConnections,
            metrics: metrics
        )
        self.announcer =
            configuration.announcer?(logger)
            ?? NotifyAnnouncer(
                connector,
                schema: configuration.schema ?? "public",
                metrics: metrics,
                logger: logger,
                pause: configuration.announcementPause
            )
    }

    /// Connects and reconnects. Ends on graceful shutdown once all statements in flight are complete, or on
    /// cancellation.
    package func run() async throws {
        if configuration.isPooled { await RoleParameters(connector: connector, logger: logger).set() }
        await withDiscardingTaskGroup { group in
            for _ in 0..<configuration.sharedConnections {
                group.addTask { await self.shared.keepOneOpen() }
            }
            group.addTask { await self.announcer.run() }
            try? await gracefulShutdown()
            for connections in [leased, writing] {
                await connections.close()
                await connections.drain()
            }
            await announcer.drain()
            await shared.drain()
            await shared.close()
            group.cancelAll()
        }
    }

    // MARK: Single statements and batches

    package func perform(_ sql: SQL) async throws -> PostgresResult {
        try await perform(sql, for: nil)
    }

    /// The client for statements that wait for the same row, such as a post: at most half of the connections for writes
    /// are used for one key.
    package func limited(to key: String) -> some Querying {
        LimitedClient(client: self, key: key)
    }

    private struct LimitedClient: Querying {
        let client: PostgresClient
        let key: String

        func perform(_ sql: SQL) async throws -> PostgresResult { try await client.perform(sql, for: key) }
    }

    private func perform(_ sql: SQL, for key: String?) async throws -> PostgresResult {
        let results = try await run(.one(sql), for: key)
        guard let result = results.first else { throw PostgresError(.connectionLost, "There was no answer") }
        return result
    }

    /// Runs statements in one round trip, as one implicit transaction.
    ///
    /// - Returns: The number of rows that each of them affected.
    @discardableResult
    package func batch(_ statements: [SQL]) async throws -> [Int] {
        try await run(SmallVector(statements)).map(\.affectedRows)
    }

    /// Runs a group of statements. A group is atomic, so it is simply retried after a conflict with another
    /// transaction, or when the server has ended its session.
    private func run(
        _ statements: SmallVector<SQL>,
        for key: String? = nil
    ) async throws -> SmallVector<PostgresResult> {
        for statement in statements {
            if let failure = statement.parameters.failure { throw failure }
            if logsStatements { logger.debug("postgres: statement", metadata: ["sql": "\(statement.text)"]) }
        }
        let start = ContinuousClock.now
        let span = StatementSpan(statements, of: configuration.schema)
        defer { metrics.duration.record(duration: .now - start) }
        do {
            let mayWait = statements.contains(where: \.mayWaitForLock)
            let results = try await repeatedWhileLosing { [self] in
                do {
                    return .done(try await mayWait ? write(statements, for: key, span) : shared.run(statements, span))
                } catch let error as PostgresError where error.isTransient || isOfFormerPrimary(error) {
                    return .lost(error, nil)
                }
            }
            span?.end(results)
            return results
        } catch {
            if error.isDatabaseFailure { metrics.failures.increment() }
            span?.fail(error)
            throw error
        }
    }

    /// Where writes and transactions run, if they do not stay where the caller is.
    private var taskExecutor: LoopTaskExecutor? { configuration.runsTransactionsOnLoop ? .shared : nil }

    /// Whether a server refused to write while another one may accept it.
    private func isOfFormerPrimary(_ error: PostgresError) -> Bool {
        configuration.url.servers.count > 1 && error.sqlState == .readOnlyTransaction
    }

    /// Runs statements on a connection that no other statement waits for. They are cancelled with the task.
    private func write(
        _ statements: SmallVector<SQL>,
        for key: String?,
        _ span: StatementSpan?
    ) async throws -> SmallVector<PostgresResult> {
        let start = ContinuousClock.now
        return try await withTaskExecutorPreference(taskExecutor) {
            try await writing.withLease(for: key) { connection in
                try Task.checkCancellation()
                span?.waited(.now - start)
                let submission = Submission(statements, to: connection)
                PostgresEventLoop.shared.execute(submission)
                return try await withTaskCancellationHandler {
                    try await submission.answers.value
                } onCancel: {
                    PostgresEventLoop.shared.execute {
                        // After the answer the connection may run the statement of another task.
                        if submission.answers.isOpen { connection.cancelRunningStatement() }
                    }
                }
            }
        }
    }

    /// Checks that the server responds, without waiting for a connection.
    ///
    /// - Throws: The reason why it cannot be reached, or that none of the client's connections has received anything
    ///   within half a second.
    package func ping() async throws {
        try await shared.requireConnection()
        try await withThrowingTaskGroup { group in
            group.addTask { _ = try await self.perform("SELECT 1") }
            group.addTask {
                try await self.connector.contact.silence(lasting: Self.longestSilence)
                self.connector.serverAnswers(false)
                throw PostgresError(.unavailable, "The server has not answered for \(Self.longestSilence)")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
        connector.serverAnswers(true)
    }

    private static let longestSilence = Duration.milliseconds(500)

    // MARK: Transactions

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws or the task is cancelled.
    ///
    /// `body` may run on the thread of all connections (`PostgresConfiguration.runsTransactionsOnLoop`), so it must not compute
    /// for long.
    ///
    /// After a conflict with another transaction (serialization failure, deadlock), when the server has ended the session, and
    /// on another server if this one accepts no writes, `body` is run again, up to `transactionAttempts` times; so it must
    /// not have effects outside the database that cannot be repeated.
    ///
    /// - Parameter key: What many transactions wait for at the same time, such as a car; at most half of the connections
    ///   for transactions are used for one key.
    @discardableResult
    package func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted,
        key: String? = nil,
        _ body: (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        try await withTaskExecutorPreference(taskExecutor) {
            try await measured {
                try await repeatedWhileLosing {
                    try await traced { span in
                        let start = ContinuousClock.now
                        return try await leased.withLease(for: key) { connection in
                            span?.waited(.now - start)
                            return try await attempt(TransactionSession(connection, isolation), body).get()
                        }
                    }
                }
            }
        }
    }

    /// Runs an attempt of a transaction in a span of its own.
    private func traced<Value>(
        _ attempt: (StatementSpan?) async throws -> Attempt<Value>
    ) async throws -> Attempt<Value> {
        guard let span = StatementSpan(transactionOf: configuration.schema) else { return try await attempt(nil) }
        return try await ServiceContext.withValue(span.context) {
            do {
                switch try await attempt(span) {
                case .done(let value):
                    span.end()
                    return .done(value)
                case .lost(let error, _): return .lost(error, span)
                }
            } catch {
                span.fail(error)
                throw error
            }
        }
    }

    private func attempt<Value>(
        _ session: TransactionSession,
        _ body: (PostgresTransaction) async throws -> Value
    ) async -> Result<Attempt<Value>, any Error> {
        do {
            let value = try await body(PostgresTransaction(session: session))
            try await session.commit()
            announcer.announce(session.announcements)
            return .success(.done(value))
        } catch {
            await session.rollBack()
            if let failure = session.retriableFailure(isOfFormerPrimary) { return .success(.lost(failure, nil)) }
            if let failure = error as? PostgresError, failure.isTransient { return .success(.lost(failure, nil)) }
            return .failure(error)
        }
    }

    /// The maximum number of attempts that wait for a lock.
    private static let lockAttempts = 3

    private enum Attempt<Value> {
        case done(Value)
        /// The transaction failed because of a concurrent one, or has met a server that accepts no writes. Its span ends when
        /// it is known whether it is repeated.
        case lost(PostgresError, StatementSpan?)
    }

    private func repeatedWhileLosing<Value>(_ attempt: () async throws -> Attempt<Value>) async throws -> Value {
        var backoff = Backoff(from: .milliseconds(5), to: .milliseconds(200))
        var (attempts, lockTimeouts) = (0, 0)
        while true {
            switch try await attempt() {
            case .done(let value): return value
            case .lost(let error, let span):
                attempts += 1
                // Reads leave an earlier primary, too, whose rows are outdated.
                if isOfFormerPrimary(error) { await shared.leaveServer() }
                if error.sqlState == .lockNotAvailable { lockTimeouts += 1 }
                let mayRepeat = attempts < configuration.transactionAttempts && lockTimeouts < Self.lockAttempts
                span?.fail(error, mayRepeat: mayRepeat)
                guard mayRepeat else { throw error }
            }
            metrics.retries.increment()
            try await Task.sleep(for: backoff.next())
        }
    }

    private func measured<Value>(_ body: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        defer { metrics.duration.record(duration: .now - start) }
        do {
            return try await body()
        } catch {
            if error.isDatabaseFailure { metrics.failures.increment() }
            throw error
        }
    }

    // MARK: Migrations

    /// Applies the missing migrations. Does not require `run`; several processes may call it concurrently.
    ///
    /// - Throws: `PostgresError` (`migration`) if the applied migrations differ from `migrations`; before anything is
    ///   changed, the error of the announcer's settings.
    package func migrate(_ migrations: [Migration]) async throws {
        try await announcer.check()
        let connection = try await connector.connectPatiently(for: .migrating)
        let migrator = Migrator(connection: connection, configuration: configuration, logger: logger)
        do {
            try await migrator.migrate(migrations)
        } catch {
            await connection.close()
            throw error
        }
        await connector.release(connection)
    }
}
