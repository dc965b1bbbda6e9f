import CoreMetrics
import DequeModule
import Logging
import Values

/// A few connections that all tasks share for reads, alone and in batches. A statement goes to the connection with the
/// fewest statements in flight. If all are full or closed, it waits, and waiting statements survive the loss of a
/// connection. Statements of several tasks may run in one implicit transaction, and then have the same `now()`.
@PostgresLoop
final class SharedConnections: Submission.Destination {
    private let loop = PostgresEventLoop.shared
    private let connector: PostgresConnector
    private let depth: Int
    private let logger: Logger
    private let metrics: PostgresMetrics

    private var connections: [PostgresConnection] = []
    private var backlog: Deque<(submission: Submission, since: ContinuousClock.Instant)> = []
    private var expiry: LoopTimers.ID?
    private var isClosed = false
    /// Why there is no connection.
    private var trouble: String? = "the client is not running yet"

    nonisolated init(_ connector: PostgresConnector, logger: Logger, metrics: PostgresMetrics) {
        self.connector = connector
        self.depth = connector.configuration.pipelineDepth
        self.logger = logger
        self.metrics = metrics
    }

    // MARK: Statements

    /// Runs statements as one implicit transaction. If the task is cancelled the result is abandoned; statements
    /// already sent still take effect.
    nonisolated func run(
        _ statements: SmallVector<SQL>,
        _ span: StatementSpan? = nil
    ) async throws -> SmallVector<PostgresResult> {
        try Task.checkCancellation()
        let submission = Submission(statements, to: self, span)
        PostgresEventLoop.shared.execute(submission)
        return try await submission.answers.value()
    }

    func submit(_ submission: Submission) {
        guard !isClosed else {
            return submission.fail(PostgresError(.closed, "The client of \(connector.configuration.place) has ended"))
        }
        if backlog.isEmpty, let connection = leastBusy() {
            submission.span?.waited(.zero)
            connection.submit(submission)
        } else {
            backlog.append((submission, .now))
            metrics.waiting.record(backlog.count)
            awaitExpiry()
        }
    }

    private func leastBusy() -> PostgresConnection? {
        var best: PostgresConnection?
        var fewest = depth
        for connection in connections {
            if connection.inFlight < fewest { (best, fewest) = (connection, connection.inFlight) }
        }
        return best
    }

    private func dispatch() {
        while let (submission, since) = backlog.first, let connection = leastBusy() {
            backlog.removeFirst()
            submission.span?.waited(.now - since)
            connection.submit(submission)
        }
    }

    /// Fails statements that have waited too long.
    private func awaitExpiry() {
        guard expiry == nil, let first = backlog.first else { return }
        expiry = loop.schedule(after: first.since + connector.timeout(for: .sharing) - .now) { [weak self] in
            self?.expire()
        }
    }

    private func expire() {
        expiry = nil
        let timeout = connector.timeout(for: .sharing)
        while let first = backlog.first, first.since + timeout <= .now {
            backlog.removeFirst()
            first.submission.fail(
                trouble.map { connector.unavailable(for: .sharing, because: $0) }
                    ?? PostgresError(.unavailable, "The shared connections were busy for \(timeout)")
            )
        }
        awaitExpiry()
    }

    /// - Throws: The reason why there is no connection, if there is none at this moment.
    func requireConnection() throws {
        guard connections.isEmpty else { return }
        throw connector.unavailable(for: .sharing, because: trouble ?? "it was lost a moment ago")
    }

    // MARK: Connections

    /// Keeps one connection open until the task is cancelled.
    func keepOneOpen() async {
        var backoff = Backoff.connecting
        while !Task.isCancelled {
            do {
                let connection = try await connector.connect(for: .sharing)
                backoff.reset()
                if trouble != nil {
                    logger.info("postgres: connected", metadata: ["database": "\(connector.configuration.place)"])
                }
                trouble = nil
                let reason = await use(connection)
                if !Task.isCancelled {
                    connector.connectionLost(for: .sharing)
                    report("postgres: connection lost", reason)
                }
            } catch let error as PostgresError {
                report("postgres: connection attempt failed", error)
            } catch {
                return
            }
            try? await Task.sleep(for: backoff.next())
        }
    }

    /// Adds a connection to the pool until it closes or the task is cancelled.
    private func use(_ connection: PostgresConnection) async -> PostgresError {
        let closed = SharedPromise<PostgresError>()
        connection.observe(
            .init(
                onProgress: { [weak self] in self?.dispatch() },
                onClose: { [weak self, weak connection] reason in
                    self?.connections.removeAll { $0 === connection }
                    closed.promise.settle(.success(reason))
                }
            )
        )
        if connection.isOpen { connections.append(connection) }
        dispatch()
        let reason = try? await closed.promise.value()
        connections.removeAll { $0 === connection }
        connector.release(connection)
        return reason ?? PostgresError(.closed, "The client ended")
    }

    private func report(_ event: Logger.Message, _ error: PostgresError) {
        if trouble != error.message {
            logger.warning(
                event,
                metadata: ["database": "\(connector.configuration.place)", "reason": "\(error.message)"]
            )
        }
        trouble = error.message
        // An outage makes the wait shorter.
        if let expiry { loop.cancel(expiry) }
        expire()
    }

    /// Closes the connections, after which others are opened to the server that accepts writes.
    func leaveServer() {
        for connection in connections { connection.loseConnection("The server is read-only") }
    }

    /// Waits until all submitted statements are complete.
    func drain() async {
        while !isIdle {
            guard (try? await Task.sleep(for: .milliseconds(5))) != nil else { return }
        }
    }

    private var isIdle: Bool {
        backlog.isEmpty && connections.allSatisfy { $0.inFlight == 0 }
    }

    /// Refuses new statements and fails those that are waiting.
    func close() {
        isClosed = true
        for (submission, _) in backlog { submission.fail(PostgresError(.closed, "The client has ended")) }
        backlog = []
    }
}
