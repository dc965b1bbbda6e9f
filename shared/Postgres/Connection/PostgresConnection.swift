/// A connection to the server in pipeline mode, driven by the event loop.
///
/// Many tasks may have statements in flight; results arrive in the order of submission. The opener must close the
/// connection.
@PostgresLoop
final class PostgresConnection: Submission.Destination {
    /// Callbacks to the owner.
    struct Observer {
        /// Called when results have arrived, so that there is room for more statements.
        var onProgress: @PostgresLoop () -> Void = {}
        /// Called when the connection has closed, with the reason.
        var onClose: @PostgresLoop (PostgresError) -> Void = { _ in }
        var onNotification: (@PostgresLoop (_ channel: String, _ payload: String) -> Void)?
    }

    enum Phase {
        case connecting(SharedPromise<Void>)
        case pipelining
        case scripting(SharedPromise<Void>, failure: PostgresError?)
        case closed(PostgresError)
    }

    var phase: Phase
    var libpq: LibPQ?
    private var watch: Watch?
    private var interest: Readiness = .readable
    private var machine = ConnectionStateMachine<Submission, PostgresResult>()
    private var observer = Observer()
    /// Whether a group that failed because of a stale plan is sent again automatically, which is wrong inside an
    /// explicit transaction.
    private let sendsAgain: Bool
    /// Whether all statements only read, so that those of several submissions may be one group.
    private let onlyReads: Bool
    /// The time without any response after which the server is considered dead; nil for no limit.
    private let answerTimeout: Duration?
    /// Identifies interchangeable connections.
    let key: ConnectionCache.Key
    private var lastProgress = ContinuousClock.now
    private var watchdog: LoopTimers.ID?
    /// When the server was heard last by any connection of the client.
    private let contact: ServerContact
    /// The number of pending cancel requests. No statement is sent until they are complete, because they could cancel
    /// it by mistake.
    private var cancelRequests = 0
    /// Whether the loop is going to call `endGroup`.
    private var endsGroupLater = false
    private var heldBack: [Submission] = []

    private let loop = PostgresEventLoop.shared
    private var instructions: [ConnectionStateMachine<Submission, PostgresResult>.Instruction] = []

    init(
        sendsAgain: Bool,
        onlyReads: Bool,
        answerTimeout: Duration?,
        contact: ServerContact,
        key: ConnectionCache.Key
    ) {
        self.sendsAgain = sendsAgain
        self.onlyReads = onlyReads
        self.answerTimeout = answerTimeout
        self.contact = contact
        self.key = key
        self.phase = .closed(PostgresError(.unavailable, "The connection has not been opened"))
    }

    func observe(_ observer: Observer) {
        self.observer = observer
        if case .closed(let reason) = phase { observer.onClose(reason) }
    }

    var isOpen: Bool {
        if case .pipelining = phase { true } else { false }
    }

    /// Whether another server may have become the primary when this one accepts no writes.
    private var wantsPrimary: Bool { key.parameters["target_session_attrs"] == "read-write" }

    /// The number of statements without a result.
    var inFlight: Int { machine.inFlight }

    /// The server process of the connection; nil once it is closed.
    var processID: Int32? { libpq?.processID }

    /// Whether the connection can be reused: no statements in flight and no open transaction.
    var isClean: Bool {
        isOpen && inFlight == 0 && heldBack.isEmpty && cancelRequests == 0 && libpq?.isIdle == true
    }

    // MARK: Connecting

    /// Connects, or fails after `timeout`.
    func connect(_ parameters: [String: String], timeout: Duration) async throws {
        guard let libpq = LibPQ(parameters: parameters) else {
            throw PostgresError(.unavailable, "There is no memory for a connection")
        }
        let connected = SharedPromise<Void>()
        self.libpq = consume libpq
        phase = .connecting(connected)
        awaitConnection(.writable)
        let timer = loop.schedule(after: timeout) { [weak self] in
            self?.close(PostgresError(.unavailable, "No answer within \(timeout)"))
        }
        defer { loop.cancel(timer) }
        try await connected.promise.value { [loop] in
            loop.execute { self.close(PostgresError(.closed, "Cancelled")) }
        }
    }

    /// libpq may use another socket after each step.
    private func awaitConnection(_ interest: Readiness) {
        guard let socket = libpq?.socket, socket >= 0 else { return finishConnecting() }
        watch = loop.watch(socket, for: interest) { [weak self] _ in
            self?.continueConnecting()
        }
        guard libpq?.isHostSilent == true else { return }
        watchdog = loop.schedule(after: Self.longestSilence) { [weak self] in self?.hostIsSilent() }
    }

    /// The time in which a host accepts a connection. libpq itself tries the next server only after a refusal.
    private static let longestSilence = Duration.seconds(1)

    private func hostIsSilent() {
        guard let server = libpq?.server else { return }
        contact.silentServers.insert(server)
        close(PostgresError(.unavailable, "The host of \(server) does not answer"))
    }

    private func continueConnecting() {
        unwatch()
        if let watchdog { loop.cancel(watchdog) }
        watchdog = nil
        switch libpq?.continueConnecting() {
        case .wants(let interest): awaitConnection(interest)
        default: finishConnecting()
        }
    }

    private func finishConnecting() {
        guard case .connecting(let connected) = phase else { return }
        guard let socket = libpq?.socket, libpq?.isBroken == false, libpq?.enterPipelineMode() == true else {
            return close(PostgresError(.unavailable, libpq?.errorMessage ?? "The connection failed"))
        }
        if let server = libpq?.server { contact.silentServers.remove(server) }
        phase = .pipelining
        watch = loop.watch(socket, for: interest) { [weak self] readiness in
            self?.ready(readiness)
        }
        connected.promise.settle(.success(()))
    }

    // MARK: Sending

    /// Sends statements as one group, or as a part of one; the result settles the submission.
    func submit(_ submission: Submission) {
        guard submission.answers.isOpen else { return }
        switch phase {
        case .pipelining where cancelRequests > 0: heldBack.append(submission)
        case .pipelining where onlyReads && submission.statements.count == 1: gather(submission)
        case .pipelining: transmit(submission, sendsAgain ? .first : .only)
        case .closed(let reason) where reason.kind == .connectionLost:
            submission.fail(PostgresError(.sessionEnded, reason.message))
        case .closed(let reason): submission.fail(reason)
        case .connecting, .scripting: submission.fail(PostgresError(.unavailable, "The connection is not ready"))
        }
    }

    /// Sends statements in one group with those that are submitted in the same round of the loop, without a sync point for
    /// each of them. A result may wait for the rest of its group, so a group has few members, or at most as many as there are
    /// statements before it.
    private func gather(_ submission: Submission) {
        if machine.openRequests >= max(Self.smallGroup, machine.inFlight - machine.openRequests) { endGroup() }
        // Sending may have closed the connection.
        guard isOpen else { return submit(submission) }
        if !endsGroupLater {
            endsGroupLater = true
            loop.atEndOfRound { [weak self] in
                self?.endsGroupLater = false
                self?.endGroup()
            }
        }
        transmit(submission, .first, sharesGroup: true)
    }

    private static let smallGroup = 8

    private func endGroup() {
        guard isOpen, machine.openRequests > 0 else { return }
        instructions.removeAll(keepingCapacity: true)
        machine.endGroup(into: &instructions)
        sendInstructions()
    }

    private func transmit(
        _ submission: Submission,
        _ attempt: ConnectionStateMachine<Submission, PostgresResult>.Attempt,
        sharesGroup: Bool = false
    ) {
        if machine.inFlight == 0 { lastProgress = .now }
        instructions.removeAll(keepingCapacity: true)
        machine.send(submission, submission.statements, attempt, sharesGroup: sharesGroup, into: &instructions)
        sendInstructions()
    }

    private func sendInstructions() {
        for instruction in instructions {
            let sent =
                switch instruction {
                case .parse(let name, let sql): libpq?.sendParse(name: name, sql)
                case .execute(let name, let sql): libpq?.sendExecute(name: name, sql.parameters)
                case .sync: libpq?.sendSync()
                }
            guard sent == true else { return sendingFailed() }
        }
        if machine.openRequests == 0 { flush() }
        startWatchdog()
    }

    func flush() {
        guard let watch else { return }
        guard let isFlushed = libpq?.flush() else { return sendingFailed() }
        let wanted: Readiness = isFlushed ? .readable : [.readable, .writable]
        if wanted != interest {
            interest = wanted
            loop.change(watch, to: wanted)
        }
    }

    /// Closes the connection. The server may have said before why it has ended the session.
    private func sendingFailed() {
        _ = libpq?.consumeInput()
        receive()
        loseConnection()
    }

    // MARK: Receiving

    private func ready(_ readiness: Readiness) {
        lastProgress = .now
        if readiness.contains(.readable) { contact.lastHeard = lastProgress }
        if readiness.contains(.writable) { flush() }
        endGroup()
        // Bytes that arrived before the connection broke are still processed.
        let isAlive = libpq?.consumeInput() == true
        switch phase {
        case .pipelining: receive()
        case .scripting: receiveScript()
        case .connecting, .closed: return
        }
        receiveNotifications()
        if !isAlive { loseConnection() } else { flush() }
        observer.onProgress()
    }

    private func receive() {
        // Between two statements libpq returns no result once; and again if it has forgotten the next one, because the
        // connection broke while others were sent.
        var isBetweenStatements = false
        while case .pipelining = phase, machine.inFlight > 0, libpq?.isBusy == false {
            guard let signal = nextSignal() else {
                guard !isBetweenStatements else { return }
                isBetweenStatements = true
                continue
            }
            isBetweenStatements = false
            switch machine.receive(signal) {
            case .none: break
            case .finish(let submission, .success(let results)): submission.answers.settle(.success(results))
            case .finish(let submission, .failure(let error)):
                submission.fail(error)
                if error.sqlState == .readOnlyTransaction, wantsPrimary { loseConnection("The server is read-only") }
            case .sendAgain(let submission, let attempt): transmit(submission, attempt)
            case .giveUp: loseConnection("The server sent a result without a statement")
            }
        }
    }

    private func nextSignal() -> ConnectionStateMachine<Submission, PostgresResult>.Signal? {
        switch libpq?.nextResult() {
        case nil, .nothing: return nil
        case .answer(let result): return .success(result)
        case .sync: return .sync
        case .aborted: return .aborted
        case .failure(let error, let isFatal):
            if isFatal || libpq?.isBroken == true { close(because: error) }
            return .failure(error)
        case .copy:
            loseConnection("COPY is not supported")
            return .aborted
        }
    }

    private func receiveNotifications() {
        guard let onNotification = observer.onNotification else { return }
        while let (channel, payload) = libpq?.nextNotification() { onNotification(channel, payload) }
    }

    // MARK: Cancelling

    /// Cancels the running statement. Only for a connection with a single user.
    func cancelRunningStatement() {
        guard isOpen, inFlight > 0, let request = libpq?.makeCancel() else { return }
        cancelRequests += 1
        BlockingThread.start { [loop] in
            request.send()
            loop.execute { self.cancelRequestIsThrough() }
        }
    }

    private func cancelRequestIsThrough() {
        cancelRequests -= 1
        guard cancelRequests == 0 else { return }
        let submissions = heldBack
        heldBack = []
        submissions.forEach(submit)
    }

    // MARK: Closing

    /// Closes the connection and fails the statements in flight.
    func close(_ reason: PostgresError = PostgresError(.closed, "The connection was closed")) {
        if case .closed = phase { return }
        let previous = phase
        phase = .closed(reason)
        unwatch()
        libpq = nil
        if let watchdog { loop.cancel(watchdog) }
        switch previous {
        case .connecting(let waiter), .scripting(let waiter, _): waiter.promise.settle(.failure(reason))
        case .pipelining, .closed: break
        }
        var (unanswered, outputs) = machine.abandon()
        if outputs.last?.commandTag == "COMMIT" { unanswered.removeFirst().answers.settle(.success(outputs)) }
        // A server that is to end a session does so before it begins a statement and while it runs one, and not during a
        // commit: nothing that it has not answered took effect.
        let hadNoEffect = reason.sqlState == .adminShutdown
        for submission in unanswered {
            submission.fail(PostgresError(hadNoEffect ? .sessionEnded : .connectionLost, reason.message))
        }
        for submission in heldBack { submission.fail(reason) }
        heldBack = []
        observer.onClose(reason)
        observer = Observer()
    }

    func loseConnection(_ message: String? = nil) {
        let message = message ?? libpq?.errorMessage ?? "The connection broke"
        close(PostgresError(.connectionLost, message, sqlState: libpq?.endState))
    }

    /// Closes the connection after an error with which the server has ended it.
    private func close(because error: PostgresError) {
        close(PostgresError(.connectionLost, error.message, sqlState: error.sqlState ?? libpq?.endState))
    }

    private func unwatch() {
        if let watch { loop.unwatch(watch) }
        watch = nil
    }

    // MARK: Watchdog

    private static let watchInterval = Duration.milliseconds(250)

    private func startWatchdog() {
        guard watchdog == nil else { return }
        watchdog = loop.schedule(after: Self.watchInterval) { [weak self] in self?.checkServer() }
    }

    private func checkServer() {
        watchdog = nil
        guard isOpen, inFlight > 0 else { return }
        if libpq?.isUnacknowledged == true { return abandonServer("The server's host does not answer") }
        if let answerTimeout, lastProgress + answerTimeout <= .now {
            return abandonServer("The server did not answer within \(answerTimeout)")
        }
        startWatchdog()
    }

    private func abandonServer(_ reason: String) {
        libpq?.discardOutput()
        loseConnection(reason)
    }
}
