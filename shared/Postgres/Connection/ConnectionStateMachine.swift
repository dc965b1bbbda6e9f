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
    enum Instruction: Equatable {
        /// Prepare the statement at `index` of the group under `name`.
        case parse(name: String, index: Int)
        /// Execute the statement at `index` of the group.
        case execute(name: String, index: Int)
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
        case finish(Ticket, Result<[Output], PostgresError>)
        /// The server forgot a prepared statement or its plan became invalid: nothing happened, send the group again.
        case sendAgain(Ticket)
        /// The server and we no longer agree on where we are: give up the connection.
        case giveUp
    }

    private enum Step {
        case parse(SQL.Key, name: String)
        case execute(SQL.Key, name: String)
        case deallocate
    }

    private struct Group {
        var ticket: Ticket?
        var steps: [Step]
        var answered = 0
        var outputs: [Output] = []
        var failure: PostgresError?
        var mayBeSentAgain: Bool
        var hasStalePlan = false
    }

    private var groups: Deque<Group> = []
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
    mutating func send(_ ticket: Ticket, _ keys: [SQL.Key], mayBeSentAgain: Bool) -> [Instruction] {
        var instructions: [Instruction] = []
        instructions.reserveCapacity(keys.count + 1)
        var group = Group(ticket: ticket, steps: [], mayBeSentAgain: mayBeSentAgain)
        group.steps.reserveCapacity(keys.count)
        for (index, key) in keys.enumerated() {
            if let name = cache.name(of: key) {
                group.steps.append(.execute(key, name: name))
                instructions.append(.execute(name: name, index: index))
            } else {
                let (name, evicted) = cache.insert(key)
                if let evicted { retired.append(evicted) }
                group.steps += [.parse(key, name: name), .execute(key, name: name)]
                instructions += [.parse(name: name, index: index), .execute(name: name, index: index)]
            }
        }
        instructions.append(.sync)
        groups.append(group)
        if !retired.isEmpty { deallocateRetired(&instructions) }
        return instructions
    }

    /// Evicted statements may still be used by what was sent before, so they go in a group behind it.
    private mutating func deallocateRetired(_ instructions: inout [Instruction]) {
        for name in retired {
            instructions += [.deallocate(name: name), .sync]
            groups.append(Group(ticket: nil, steps: [.deallocate], mayBeSentAgain: false))
        }
        retired = []
    }

    /// Takes in what the server sent next.
    mutating func receive(_ signal: Signal) -> Action {
        guard !groups.isEmpty else { return .giveUp }
        if case .sync = signal { return finishFirst() }
        guard groups[0].answered < groups[0].steps.count else {
            // The implicit transaction failed at its end: a deferred constraint.
            guard case .failure(let error) = signal, groups[0].failure == nil else { return .giveUp }
            groups[0].failure = error
            return .none
        }
        let step = groups[0].steps[groups[0].answered]
        groups[0].answered += 1
        switch (signal, step) {
        case (.success(let output), .execute):
            groups[0].outputs.append(output)
        case (.failure(let error), .execute(let key, let name)):
            groups[0].failure = error
            if error.isAboutPreparedStatement, cache.remove(key, named: name) {
                retired.append(name)
            }
            groups[0].hasStalePlan = error.isAboutPreparedStatement
        case (.failure(let error), .parse(let key, let name)):
            groups[0].failure = error
            cache.remove(key, named: name)
        case (.aborted, .parse(let key, let name)):
            cache.remove(key, named: name)
        case (.failure(let error), .deallocate):
            groups[0].failure = error
        default:
            break
        }
        return .none
    }

    private mutating func finishFirst() -> Action {
        let group = groups.removeFirst()
        guard group.answered == group.steps.count else { return .giveUp }
        guard let ticket = group.ticket else { return .none }
        guard let failure = group.failure else { return .finish(ticket, .success(group.outputs)) }
        return group.hasStalePlan && group.mayBeSentAgain ? .sendAgain(ticket) : .finish(ticket, .failure(failure))
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
