import Synchronization

/// The isolation level of a transaction (PostgreSQL manual, "Transaction Isolation").
package enum PostgresIsolation: Sendable {
    case readCommitted, repeatableRead, serializable

    var begin: SQL {
        switch self {
        case .readCommitted: "BEGIN ISOLATION LEVEL READ COMMITTED"
        case .repeatableRead: "BEGIN ISOLATION LEVEL REPEATABLE READ"
        case .serializable: "BEGIN ISOLATION LEVEL SERIALIZABLE"
        }
    }
}

/// A running transaction, valid inside the closure that received it.
package struct PostgresTransaction: Querying {
    let session: TransactionSession

    package func perform(_ sql: SQL) async throws -> PostgresResult {
        try await session.perform(sql)
    }

    /// Adds statements of which only the effect matters. They are sent before the next ones, or with COMMIT, and so take no
    /// round trip of their own; an error of theirs is thrown there.
    ///
    /// - Throws: An error of their parameters, or `PostgresError` if the transaction has ended.
    package func enqueue(_ statements: [Statement<Int>]) throws {
        try session.enqueue(statements.map { .init(sql: $0.sql) })
    }

    /// Adds a statement as `enqueue(_:)` does, and announces after the commit what follows from its result.
    package func enqueue<Value>(
        _ statement: Statement<Value>,
        announcing announcement: @escaping @Sendable (Value) -> Announcement
    ) throws {
        let queued = TransactionSession.Queued(sql: statement.sql) { result in
            announcement(try statement.read(result, statement.sql))
        }
        try session.enqueue([queued])
    }

    /// Adds a statement as `enqueue(_:)` does, before the COMMIT in any case, and checks its result.
    ///
    /// - Parameter check: What it throws, the next statement or the transaction throws, and nothing is committed.
    package func enqueue<Value>(
        _ statement: Statement<Value>,
        checking check: @escaping @Sendable (Value) throws -> Void
    ) throws {
        var queued = TransactionSession.Queued(sql: statement.sql) { result in
            try check(try statement.read(result, statement.sql))
            return nil
        }
        queued.isCheck = true
        try session.enqueue([queued])
    }

    /// Announces something to all copies of the service after the commit, and nothing after a rollback.
    package func announce(_ announcements: [Announcement]) {
        session.announce(announcements)
    }
}

/// The state of one transaction on a leased connection.
final class TransactionSession: Sendable {
    struct Queued: Sendable {
        let sql: SQL
        /// Checks its result, and returns what is announced because of it.
        var read: (@Sendable (PostgresResult) throws -> Announcement?)?
        /// Whether it must not be sent together with COMMIT.
        var isCheck = false
    }

    private struct State {
        var hasBegun = false
        var hasEnded = false
        /// The statements that are sent with the next ones.
        var queue: [Queued] = []
        /// The first error of a statement, because of which the transaction cannot commit.
        var failure: (any Error)?
        var announcements: [Announcement] = []
    }

    private let connection: PostgresConnection
    private let isolation: PostgresIsolation
    private let state = Mutex(State())

    init(_ connection: PostgresConnection, _ isolation: PostgresIsolation) {
        self.connection = connection
        self.isolation = isolation
    }

    /// Runs a statement. The first one is sent in a group with BEGIN, which needs no round trip of its own, and does
    /// not run if BEGIN fails.
    func perform(_ sql: SQL) async throws -> PostgresResult {
        let results = try await perform([sql])
        return results[0]
    }

    /// Runs statements in one round trip.
    ///
    /// - Returns: One result per statement.
    func perform(_ statements: [SQL]) async throws -> [PostgresResult] {
        do {
            return try await answers(to: statements)
        } catch {
            state.withLock { $0.failure = $0.failure ?? error }
            throw error
        }
    }

    private func answers(to statements: [SQL]) async throws -> [PostgresResult] {
        try Task.checkCancellation()
        let (queue, submission) = try state.withLock { state in
            try add(statements.map { Queued(sql: $0) }, to: &state)
            let queue = takeQueue(&state)
            let submission = Submission(SmallVector(queue.map(\.sql)), to: connection)
            PostgresEventLoop.shared.execute(submission)
            return (queue, submission)
        }
        let results = try await traced(submission) {
            try await $0.answers.value { [connection] in
                PostgresEventLoop.shared.execute { connection.cancelRunningStatement() }
            }
        }
        guard results.count >= statements.count else {
            throw PostgresError(.connectionLost, "There was no answer")
        }
        try read(queue, results)
        return Array(results.suffix(statements.count))
    }

    func enqueue(_ statements: [Queued]) throws {
        try state.withLock { try add(statements, to: &$0) }
    }

    private func add(_ statements: [Queued], to state: inout State) throws {
        for statement in statements { if let failure = statement.sql.parameters.failure { throw failure } }
        guard !state.hasEnded else { throw PostgresError(.closed, "The transaction has ended") }
        state.queue += statements
    }

    /// The statements to be sent now.
    private func takeQueue(_ state: inout State) -> [Queued] {
        defer { (state.hasBegun, state.queue) = (true, []) }
        return state.hasBegun ? state.queue : [Queued(sql: isolation.begin)] + state.queue
    }

    /// Checks the results of statements, and notes what is to be announced because of them.
    private func read(_ statements: [Queued], _ results: SmallVector<PostgresResult>) throws {
        for (statement, result) in zip(statements, results) {
            if let announcement = try statement.read?(result) { announce([announcement]) }
        }
    }

    func announce(_ announcements: [Announcement]) {
        state.withLock { $0.announcements += announcements }
    }

    /// What is to be announced after the commit.
    var announcements: [Announcement] { state.withLock(\.announcements) }

    /// Commits, even if the task has been cancelled meanwhile.
    ///
    /// - Throws: The error of the statement that failed the transaction, if there was one.
    func commit() async throws {
        let (failure, queue) = state.withLock { state in
            state.hasEnded = true
            let isUsed = state.hasBegun || !state.queue.isEmpty
            return (state.failure, isUsed ? takeQueue(&state) : nil)
        }
        guard var statements = queue else { return }
        // The server knows of its own refusals only.
        if let failure, !(failure is PostgresError) { throw failure }
        do {
            if statements.contains(where: \.isCheck) {
                try read(statements, try await finish(statements.map(\.sql)))
                statements = []
            }
            let results = try await finish(statements.map(\.sql) + ["COMMIT"])
            guard results.last?.commandTag == "ROLLBACK" else { return try read(statements, results) }
        } catch let error as PostgresError where error.kind == .refused {
            if error.sqlState != .inFailedTransaction { state.withLock { $0.failure = $0.failure ?? error } }
            throw error.sqlState == .inFailedTransaction ? failure ?? error : error
        }
        throw failure ?? PostgresError(.refused, "The transaction had failed and was rolled back")
    }

    /// Rolls back, even if the task has been cancelled. If that fails, the connection is not reused.
    func rollBack() async {
        let hasBegun = state.withLock { state in
            state.hasEnded = true
            return state.hasBegun
        }
        guard hasBegun else { return }
        _ = try? await finish(["ROLLBACK"])
    }

    /// The statement error because of which the whole transaction should be retried.
    ///
    /// - Parameter isOfFormerPrimary: Whether another server may accept what this one has refused.
    func retriableFailure(_ isOfFormerPrimary: (PostgresError) -> Bool) -> PostgresError? {
        guard let failure = state.withLock({ $0.failure }) as? PostgresError else { return nil }
        let mayRetry = failure.isTransient || failure.isAboutPreparedStatement || isOfFormerPrimary(failure)
        return mayRetry ? failure : nil
    }

    private func finish(_ statements: [SQL]) async throws -> SmallVector<PostgresResult> {
        let submission = Submission(SmallVector(statements), to: connection)
        PostgresEventLoop.shared.execute(submission)
        return try await traced(submission) { try await $0.answers.value }
    }

    private func traced(
        _ submission: Submission,
        _ answers: (Submission) async throws -> SmallVector<PostgresResult>
    ) async throws -> SmallVector<PostgresResult> {
        let span = StatementSpan(submission.statements, of: nil)
        do {
            let results = try await answers(submission)
            span?.end(results)
            return results
        } catch {
            // Whether the transaction is repeated is recorded in its own span.
            span?.fail(error, mayRepeat: true)
            throw error
        }
    }
}
