// Scripts of several statements require the simple protocol, which libpq refuses in pipeline mode, so the connection
// leaves that mode during a script. Only migrations run scripts, on a connection of their own.

extension PostgresConnection {
    /// Runs a script, whose statements are one implicit transaction unless it contains transaction commands.
    func run(script: String) async throws {
        guard isClean || (isOpen && inFlight == 0), libpq?.exitPipelineMode() == true else {
            throw PostgresError(.unavailable, "The connection is busy")
        }
        let finished = SharedPromise<Void>()
        phase = .scripting(finished, failure: nil)
        guard libpq?.sendScript(script) == true else {
            loseConnection()
            return try await finished.promise.value
        }
        flush()
        try await finished.promise.value
    }

    func receiveScript() {
        while case .scripting(let finished, let failure) = phase, libpq?.isBusy == false {
            switch libpq?.nextResult() {
            case nil, .nothing: return finishScript(finished, failure)
            case .failure(let error, let isFatal):
                if isFatal || libpq?.isBroken == true { return loseConnection(error.message) }
                phase = .scripting(finished, failure: failure ?? error)
            case .copy: return loseConnection("COPY is not supported")
            case .answer, .aborted, .sync: break
            }
        }
    }

    private func finishScript(_ finished: SharedPromise<Void>, _ failure: PostgresError?) {
        guard libpq?.enterPipelineMode() == true else { return loseConnection() }
        phase = .pipelining
        finished.promise.settle(failure.map { .failure($0) } ?? .success(()))
    }

    /// Runs statements as one implicit transaction, on a connection with a single user.
    ///
    /// - Returns: The result of the last one.
    @discardableResult
    nonisolated func run(_ statements: [SQL]) async throws -> PostgresResult? {
        let submission = Submission(SmallVector(statements), to: self)
        PostgresEventLoop.shared.execute(submission)
        return try await submission.answers.value().last
    }
}
