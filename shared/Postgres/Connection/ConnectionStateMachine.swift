import DequeModule

/// Decides what to send on a pipelined connection and whom each answer belongs to; does no input or output itself.
///
/// Statements travel in groups. A group ends with a sync point, which makes it one implicit transaction: after a failure
/// the server skips to the end of the group, undoes it, and goes on with the next one undisturbed. A statement that the
/// connection has not seen is prepared in the same group, so that a miss of the cache costs no extra round trip.
///
/// - `Ticket`: who waits for a group. `Output`: the answer to one statement.
struct ConnectionStateMachine<Ticket, Output> {
    /// One thing to send.
    enum Instruction {
        case parse(name: String, SQL)
        case execute(name: String, SQL)
        case deallocate(name: String)
        case sync
    }

    /// One thing that was received.
    enum Signal {
        case success(Output)
        case failure(PostgresError)
        /// Skipped, because something before it in the group failed.
        case aborted
        case sync
    }

    /// What to do after a signal.
    enum Action {
        case none
        case finish(Ticket, Result<Few<Output>, PostgresError>)
        /// The server forgot a prepared statement or its plan became invalid: nothing happened, send the group again.
        case sendAgain(Ticket)
        /// The server and we no longer agree on where we are: give up the connection.
        case giveUp
    }

    private enum Step {
        case parse(PreparedStatement)
        case execute(PreparedStatement)
        case deallocate
    }

    private struct Group {
        var ticket: Ticket?
        /// How many of the steps at the front of the queue are its own.
        var stepsLeft: Int
        var mayBeSentAgain: Bool
        var failure: PostgresError?
    }

    private var groups: Deque<Group> = []
    /// The unanswered steps of all groups, in order.
    private var steps: Deque<Step> = []
    /// What the first group has been answered so far.
    private var outputs: Few<Output> = .none
    private var cache: StatementCache
    /// Names of statements that the server should forget.
    private var retired: [String] = []

    init(cacheCapacity: Int = 200) {
        cache = StatementCache(capacity: cacheCapacity)
    }

    /// How many sync points are outstanding.
    var inFlight: Int { groups.count }

    /// Takes a group in and says what to send for it.
    ///
    /// - Parameter mayBeSentAgain: whether `sendAgain` is an answer: not inside an explicit transaction, and only once.
    mutating func send(
        _ ticket: Ticket,
        _ statements: Few<SQL>,
        mayBeSentAgain: Bool,
        into instructions: inout [Instruction]
    ) {
        let before = steps.count
        for sql in statements {
            if let statement = cache.find(sql) {
                steps.append(.execute(statement))
                instructions.append(.execute(name: statement.name, sql))
            } else {
                let (statement, evicted) = cache.insert(sql)
                if let evicted { retired.append(evicted.name) }
                steps.append(.parse(statement))
                steps.append(.execute(statement))
                instructions.append(.parse(name: statement.name, sql))
                instructions.append(.execute(name: statement.name, sql))
            }
        }
        instructions.append(.sync)
        groups.append(Group(ticket: ticket, stepsLeft: steps.count - before, mayBeSentAgain: mayBeSentAgain))
        if !retired.isEmpty { deallocateRetired(&instructions) }
    }

    /// Evicted statements may still be used by what was sent before, so they go in a group behind it.
    private mutating func deallocateRetired(_ instructions: inout [Instruction]) {
        for name in retired {
            instructions += [.deallocate(name: name), .sync]
            steps.append(.deallocate)
            groups.append(Group(ticket: nil, stepsLeft: 1, mayBeSentAgain: false))
        }
        retired = []
    }

    /// Takes in what the server sent next.
    mutating func receive(_ signal: Signal) -> Action {
        guard !groups.isEmpty else { return .giveUp }
        if case .sync = signal { return finishFirst() }
        guard groups[0].stepsLeft > 0 else {
            // The implicit transaction failed at its end: a deferred constraint.
            guard case .failure(let error) = signal, groups[0].failure == nil else { return .giveUp }
            groups[0].failure = error
            return .none
        }
        groups[0].stepsLeft -= 1
        let step = steps.removeFirst()
        switch signal {
        case .success(let output):
            if case .execute = step { outputs.append(output) }
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

    /// A statement that could not be prepared is not there; one that cannot be executed any more must be prepared anew.
    private mutating func forget(_ step: Step, because error: PostgresError) {
        switch step {
        case .parse(let statement): cache.remove(statement)
        case .execute(let statement) where error.isAboutPreparedStatement:
            if cache.remove(statement) { retired.append(statement.name) }
        case .execute, .deallocate: break
        }
    }

    private mutating func finishFirst() -> Action {
        let group = groups.removeFirst()
        defer { outputs = .none }
        guard group.stepsLeft == 0 else { return .giveUp }
        guard let ticket = group.ticket else { return .none }
        guard let failure = group.failure else { return .finish(ticket, .success(outputs)) }
        return failure.isAboutPreparedStatement && group.mayBeSentAgain
            ? .sendAgain(ticket) : .finish(ticket, .failure(failure))
    }

    /// Forgets everything, because the connection broke.
    ///
    /// - Returns: who waits for an answer that will not come.
    mutating func abandon() -> [Ticket] {
        defer { groups = [] }
        return groups.compactMap(\.ticket)
    }
}

extension PostgresError {
    /// The server no longer knows the prepared statement, or its plan no longer fits the tables ("cached plan must not
    /// change result type").
    var isAboutPreparedStatement: Bool {
        sqlState == .invalidStatementName || (sqlState == .featureNotSupported && routine == "RevalidateCachedQuery")
    }
}
