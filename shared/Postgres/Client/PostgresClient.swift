package import Logging
import Metrics
import ServiceLifecycle

/// The client of one database: single statements and batches on shared, pipelined connections, transactions on leased
/// ones, notifications on one of its own. Run it as a service; calls made before it is connected wait for it.
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

    /// Connects, reconnects, and ends on graceful shutdown once everything under way is answered, or on cancellation.
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

    /// Runs statements in one round trip: all of them take effect, or none.
    ///
    /// - Returns: the rows that each of them touched.
    @discardableResult
    package func batch(_ statements: [SQL]) async throws -> [Int] {
        try await run(Few(statements)).map(\.affectedRows)
    }

    /// A group is atomic, so one that lost against another transaction is simply sent again.
    private func run(_ statements: Few<SQL>) async throws -> Few<PostgresResult> {
        for statement in statements {
            if let failure = statement.parameters.failure { throw failure }
            if logsStatements { logger.debug("statement", metadata: ["sql": "\(statement.text)"]) }
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

    /// Asks the server for a sign of life, without waiting for one that is not there.
    ///
    /// - Throws: why it cannot be reached.
    package func ping() async throws {
        try await shared.requireConnection()
        _ = try await perform("SELECT 1")
    }

    // MARK: Transactions

    /// Runs `body` in a transaction: committed when it returns, rolled back when it throws or the task is cancelled.
    ///
    /// When the transaction loses against another one (serialization failure, deadlock), `body` is run again, up to
    /// `transactionAttempts` times; so it must do nothing outside the database that cannot be done twice.
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
        /// It lost against another transaction.
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

    /// What is announced on a channel by NOTIFY, from now on until the client ends.
    ///
    /// Each time listening begins, first and after every loss of the connection, `listening` comes before anything else:
    /// what was announced earlier may have been missed, so read the state anew.
    package func notifications(on channel: String) -> AsyncStream<PostgresNotification> {
        listener.subscribe(to: channel)
    }

    /// Brings the schema up to date. Needs no `run`; several processes may do it at once.
    ///
    /// - Throws: `PostgresError` (`migration`) when what was applied is not what `migrations` say.
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
