import DequeModule

/// Decides what to send on a pipelined connection and matches results to requests; performs no input or output.
///
/// Statements are sent in groups. A group ends with a sync point, which makes it one implicit transaction: after a
/// failure the server skips to the end of the group, rolls it back, and continues with the next one. A statement that
/// is not prepared on the connection is prepared in the same group, so that a cache miss costs no extra round trip.
///
/// - `Ticket`: identifies the caller of a group. `Output`: the result of one statement.
struct ConnectionStateMachine<Ticket, Output> {
    /// Which sending of a group it is.
    enum Attempt {
        /// The first one of a group that may be sent again.
        case first
        /// The second one. It trusts no statement whose preparation has not been confirmed: that may fail as the one did on
        /// which the first attempt relied, and would hide the reason.
        case second
        /// The only one, as inside an explicit transaction, whose effects cannot be repeated.
        case only
    }

    /// A message to send.
    enum Instruction {
        case parse(name: String, SQL)
        case execute(name: String, SQL)
        case sync
    }

    /// A message received.
    enum Signal {
        case success(Output)
        case failure(PostgresError)
        /// Skipped, because an earlier statement of the group failed.
        case aborted
        case sync
    }

    /// The action after a signal.
    enum Action {
        case none
        case finish(Ticket, Result<SmallVector<Output>, PostgresError>)
        /// The server lost a prepared statement or its plan became invalid. The group had no effect and has to be sent
        /// again.
        case sendAgain(Ticket)
        /// Client and server are out of sync; the connection must be closed.
        case giveUp
    }

    private enum Step {
        case parse(PreparedStatement)
        case execute(PreparedStatement)
    }

    private struct Group {
        var ticket: Ticket
        /// The number of remaining steps at the front of the queue that belong to the group.
        var stepsLeft: Int
        var mayBeSentAgain: Bool
        var failure: PostgresError?
    }

    private var groups: Deque<Group> = []
    /// The pending steps of all groups, in order.
    private var steps: Deque<Step> = []
    /// The results of the first group so far.
    private var outputs: SmallVector<Output> = .none
    private var cache: StatementCache

    init(cacheCapacity: Int = 200) {
        cache = StatementCache(capacity: cacheCapacity)
    }

    /// The number of outstanding sync points.
    var inFlight: Int { groups.count }

    /// Adds a group and returns the messages to send for it.
    mutating func send(
        _ ticket: Ticket,
        _ statements: SmallVector<SQL>,
        _ attempt: Attempt,
        into instructions: inout [Instruction]
    ) {
        let before = steps.count
        for sql in statements {
            if let statement = cache.find(sql), attempt != .second || statement.isPrepared {
                steps.append(.execute(statement))
                instructions.append(.execute(name: statement.name, sql))
            } else {
                let statement = cache.insert(sql)
                steps.append(.parse(statement))
                steps.append(.execute(statement))
                instructions.append(.parse(name: statement.name, sql))
                instructions.append(.execute(name: statement.name, sql))
            }
        }
        instructions.append(.sync)
        groups.append(Group(ticket: ticket, stepsLeft: steps.count - before, mayBeSentAgain: attempt == .first))
    }

    /// Handles the next message of the server.
    mutating func receive(_ signal: Signal) -> Action {
        guard !groups.isEmpty else { return .giveUp }
        if case .sync = signal { return finishFirst() }
        guard groups[0].stepsLeft > 0 else {
            // The implicit transaction failed at its end because of a deferred constraint.
            guard case .failure(let error) = signal, groups[0].failure == nil else { return .giveUp }
            groups[0].failure = error
            return .none
        }
        groups[0].stepsLeft -= 1
        let step = steps.removeFirst()
        switch signal {
        case .success(let output):
            switch step {
            case .execute: outputs.append(output)
            case .parse(let statement): statement.isPrepared = true
            }
        case .failure(let error):
            groups[0].failure = error
            forget(step, because: error)
        case .aborted:
            if case .parse(let statement) = step { cache.remove(statement) }
        case .sync:
            break
        }
        return .none
    }

    /// Removes a statement that could not be prepared, or must be prepared again, from the cache.
    private mutating func forget(_ step: Step, because error: PostgresError) {
        switch step {
        case .parse(let statement): cache.remove(statement)
        case .execute(let statement) where error.isAboutPreparedStatement: cache.remove(statement)
        case .execute: break
        }
    }

    private mutating func finishFirst() -> Action {
        let group = groups.removeFirst()
        defer { outputs = .none }
        guard group.stepsLeft == 0 else { return .giveUp }
        guard let failure = group.failure else { return .finish(group.ticket, .success(outputs)) }
        return failure.isAboutPreparedStatement && group.mayBeSentAgain
            ? .sendAgain(group.ticket) : .finish(group.ticket, .failure(failure))
    }

    /// Clears the state after the connection broke.
    ///
    /// - Returns: The callers whose requests will not be answered, and the results for the first of them so far.
    mutating func abandon() -> (tickets: [Ticket], outputs: SmallVector<Output>) {
        defer {
            groups = []
            outputs = .none
        }
        return (groups.map(\.ticket), outputs)
    }
}

extension PostgresError {
    /// Whether the server lost the prepared statement, or its plan no longer fits the tables ("cached plan must not
    /// change result type").
    var isAboutPreparedStatement: Bool {
        sqlState == .invalidStatementName || (sqlState == .featureNotSupported && routine == "RevalidateCachedQuery")
    }
}
