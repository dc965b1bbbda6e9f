import DequeModule

/// Decides what to send on a pipelined connection and matches results to requests; performs no input or output.
///
/// Statements are sent in groups. A group ends with a sync point, which makes it one implicit transaction: after a
/// failure the server skips to the end of the group, rolls it back, and continues with the next one. A statement that
/// is not prepared on the connection is prepared in the same group, so that a cache miss costs no extra round trip.
///
/// Requests that only read may share a group, since a sync point costs client and server a system call each: a request
/// is then complete with its last result, and those after a failed one are sent again.
///
/// - `Ticket`: identifies the caller of a request. `Output`: the result of one statement.
struct ConnectionStateMachine<Ticket, Output> {
    /// Which sending of a request it is.
    enum Attempt {
        /// The first one of a request that may be sent again.
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
        /// The server lost a prepared statement or its plan became invalid, or another request of the group failed. The
        /// request had no effect and has to be sent again.
        case sendAgain(Ticket, Attempt)
        /// Client and server are out of sync; the connection must be closed.
        case giveUp
    }

    private enum Step {
        case parse(PreparedStatement)
        case execute(PreparedStatement)
    }

    private struct Request {
        var ticket: Ticket
        /// The number of remaining steps at the front of the queue that belong to the request.
        var stepsLeft: Int
        var mayBeSentAgain: Bool
        /// Whether the sync point follows it.
        var endsGroup: Bool
        /// Whether it was skipped because of another request of its group.
        var isSkipped = false
        var failure: PostgresError?
    }

    private var requests: Deque<Request> = []
    /// The pending steps of all requests, in order.
    private var steps: Deque<Step> = []
    /// The results of the first request so far.
    private var outputs: SmallVector<Output> = .none
    private var cache: StatementCache
    /// The number of requests in the group whose sync point has not been sent.
    private(set) var openRequests = 0

    init(cacheCapacity: Int = 200) {
        cache = StatementCache(capacity: cacheCapacity)
    }

    /// The number of incomplete requests.
    var inFlight: Int { requests.count }

    /// Adds a request and returns the messages to send for it.
    ///
    /// - Parameter sharesGroup: Whether others may follow in its group, until `endGroup`.
    mutating func send(
        _ ticket: Ticket,
        _ statements: SmallVector<SQL>,
        _ attempt: Attempt,
        sharesGroup: Bool = false,
        into instructions: inout [Instruction]
    ) {
        if !sharesGroup { endGroup(into: &instructions) }
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
        requests.append(
            Request(
                ticket: ticket,
                stepsLeft: steps.count - before,
                mayBeSentAgain: attempt == .first,
                endsGroup: false
            )
        )
        openRequests += 1
        if !sharesGroup { endGroup(into: &instructions) }
    }

    /// Ends the group that requests share, if there is one. Must be called before its results are received.
    mutating func endGroup(into instructions: inout [Instruction]) {
        guard openRequests > 0 else { return }
        openRequests = 0
        requests[requests.count - 1].endsGroup = true
        instructions.append(.sync)
    }

    /// Handles the next message of the server.
    mutating func receive(_ signal: Signal) -> Action {
        guard !requests.isEmpty else { return .giveUp }
        if case .sync = signal { return finishFirst() }
        guard requests[0].stepsLeft > 0 else {
            // The implicit transaction failed at its end because of a deferred constraint.
            guard case .failure(let error) = signal, requests[0].failure == nil else { return .giveUp }
            requests[0].failure = error
            return .none
        }
        requests[0].stepsLeft -= 1
        let step = steps.removeFirst()
        switch signal {
        case .success(let output):
            switch step {
            case .execute: outputs.append(output)
            case .parse(let statement): statement.isPrepared = true
            }
        case .failure(let error):
            requests[0].failure = error
            forget(step, because: error)
        case .aborted:
            if case .parse(let statement) = step { cache.remove(statement) }
            requests[0].isSkipped = requests[0].failure == nil
        case .sync:
            break
        }
        return requests[0].stepsLeft == 0 && !requests[0].endsGroup ? finishFirst() : .none
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
        let request = requests.removeFirst()
        defer { outputs = .none }
        guard request.stepsLeft == 0 else { return .giveUp }
        if request.isSkipped { return .sendAgain(request.ticket, .first) }
        guard let failure = request.failure else { return .finish(request.ticket, .success(outputs)) }
        return failure.isAboutPreparedStatement && request.mayBeSentAgain
            ? .sendAgain(request.ticket, .second) : .finish(request.ticket, .failure(failure))
    }

    /// Clears the state after the connection broke.
    ///
    /// - Returns: The callers whose requests will not be answered, and the results for the first of them so far.
    mutating func abandon() -> (tickets: [Ticket], outputs: SmallVector<Output>) {
        defer {
            requests = []
            outputs = .none
            openRequests = 0
        }
        return (requests.map(\.ticket), outputs)
    }
}

extension PostgresError {
    /// Whether the server lost the prepared statement, or its plan no longer fits the tables ("cached plan must not
    /// change result type").
    var isAboutPreparedStatement: Bool {
        sqlState == .invalidStatementName || (sqlState == .featureNotSupported && routine == "RevalidateCachedQuery")
    }
}
