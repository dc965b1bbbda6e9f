package import Logging
import Metrics
import ServiceLifecycle
import Values

/// The client of one database: single statements and batches on shared, pipelined connections, transactions on leased
/// ones, notifications on one of its own. It runs as a service; calls made before it is connected wait for the
/// connection.
package final class PostgresClient: Querying, Service {
    private let connector: PostgresConnector
    private let shared: SharedConnections
    private let leased: LeasedConnections
    private let listener: NotificationListener
    private let metrics = PostgresMetrics()
    private let logger: Logger
    private let logsStatements: Bool

    package let configuration: PostgresConfiguration

    package init(_ configuration: PostgresConfiguration, logger: Logger) {
        self.configuration = configuration
        self.logger = logger
        self.logsStatements = logger.logLevel <= .debug
        self.connector = PostgresConnector(configuration: configuration)
        self.shared = SharedConnections(connector, logger: logger, metrics: metrics)
        self.leased = LeasedConnections(connector, metrics: metrics)
        self.listener = NotificationListener(connector, logger: logger)
    }

    /// Connects and reconnects. Ends on graceful shutdown once all statements in flight are complete, or on
    /// cancellation.
    package func run() async throws {
        await withDiscardingTaskGroup { group in
            for _ in 0..<configuration.sharedConnections {
                group.addTask { await self.shared.keepOneOpen() }
            }
            group.addTask { await self.listener.run() }
            try? await gracefulShutdown()
            await leased.close()
            await leased.drain()
            await shared.drain()
            await shared.close()
            group.cancelAll()
        }
    }

    // MARK: Single statements and batches

    package func perform(_ sql: SQL) async throws -> PostgresResult {
        let results = try await run(.one(sql))
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
    /// transaction.
    private func run(_ statements: SmallVector<SQL>) async throws -> SmallVector<PostgresResult> {
        for statement in statements {
            if let failure = statement.parameters.failure { throw failure }
            if logsStatements { logger.debug("postgres: statement", metadata: ["sql": "\(statement.text)"]) }
        }
        let start = ContinuousClock.now
        defer { metrics.duration.record(duration: .now - start) }
        do {
            return try await shared.run(statements)
        } catch let error as PostgresError where error.isTransient {
            return try await repeatedWhileLosing { [self] in
                do {
                    return .done(try await shared.run(statements))
                } catch let error as PostgresError where error.isTransient {
                    return .lost(error)
                }
            }
        } catch {
            metrics.failures.increment()
            throw error
        }
    }

    /// Checks that the server responds, without waiting for a connection.
    ///
    /// - Throws: The reason why it cannot be reached.
    package func ping() async throws {
        try await shared.requireConnection()
        _ = try await perform("SELECT 1")
    }

    // MARK: Transactions

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws or the task is cancelled.
    ///
    /// After a conflict with another transaction (serialization failure, deadlock), `body` is run again, up to
    /// `transactionAttempts` times; so it must not have effects outside the database that cannot be repeated.
    @discardableResult
    package func transaction<Value>(
        isolation: PostgresIsolation = .readCommitted,
        _ body: (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        try await measured {
            try await repeatedWhileLosing {
                let connection = try await leased.lease()
                let session = TransactionSession(connection, isolation)
                let outcome = await attempt(session, body)
                await leased.giveBack(connection)
                return try outcome.get()
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
            return .success(.done(value))
        } catch {
            await session.rollBack()
            if let failure = session.transientFailure { return .success(.lost(failure)) }
            if let failure = error as? PostgresError, failure.isTransient { return .success(.lost(failure)) }
            return .failure(error)
        }
    }

    private enum Attempt<Value> {
        case done(Value)
        /// The transaction failed because of a concurrent one.
        case lost(PostgresError)
    }

    private func repeatedWhileLosing<Value>(_ attempt: () async throws -> Attempt<Value>) async throws -> Value {
        var backoff = Backoff(from: .milliseconds(5), to: .milliseconds(200))
        for _ in 1..<max(configuration.transactionAttempts, 1) {
            guard case .done(let value) = try await attempt() else {
                metrics.retries.increment()
                try await Task.sleep(for: backoff.next())
                continue
            }
            return value
        }
        switch try await attempt() {
        case .done(let value): return value
        case .lost(let error): throw error
        }
    }

    private func measured<Value>(_ body: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        defer { metrics.duration.record(duration: .now - start) }
        do {
            return try await body()
        } catch {
            metrics.failures.increment()
            throw error
        }
    }

    // MARK: Notifications and migrations

    /// The notifications on a channel, from now on until the client ends.
    ///
    /// Each time listening begins, initially and after every reconnection, `listening` comes first: earlier
    /// notifications may have been missed, so the subscriber must reload its state.
    package func notifications(on channel: String) -> AsyncStream<PostgresNotification> {
        listener.subscribe(to: channel)
    }

    /// Applies the missing migrations. Does not require `run`; several processes may call it concurrently.
    ///
    /// - Throws: `PostgresError` (`migration`) if the applied migrations differ from `migrations`.
    package func migrate(_ migrations: [Migration]) async throws {
        let connection = try await connector.connectPatiently(for: .migrating)
        let migrator = Migrator(connection: connection, logger: logger)
        do {
            try await migrator.migrate(migrations)
        } catch {
            await connection.close()
            throw error
        }
        await connector.release(connection)
    }
}
