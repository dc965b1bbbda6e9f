import CLibPQ

// Scripts of several statements need the simple protocol, which libpq refuses in pipeline mode: the connection leaves
// the mode for the time of a script. Only migrations do this, on a connection of their own.

extension PostgresConnection {
    /// Runs a script, the statements of which are one implicit transaction unless they say otherwise.
    func run(script: String) async throws {
        guard isClean || (isOpen && inFlight == 0), libpq?.exitPipelineMode() == true else {
            throw PostgresError(.unavailable, "The connection is busy")
        }
        let promise = Promise<Void>()
        phase = .scripting(promise, failure: nil)
        guard libpq?.sendScript(script) == true else {
            loseConnection()
            return try await promise.value
        }
        flush()
        try await promise.value
    }

    func receiveScript() {
        while case .scripting(let promise, let failure) = phase, libpq?.isBusy == false {
            guard let result = libpq?.nextResult() else { return finishScript(promise, failure) }
            switch result.status {
            case PGRES_FATAL_ERROR:
                let error = result.error
                if result.isFatal || libpq?.isBroken == true { return loseConnection(error.message) }
                phase = .scripting(promise, failure: failure ?? error)
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                return loseConnection("COPY is not supported")
            default:
                break
            }
        }
    }

    private func finishScript(_ promise: Promise<Void>, _ failure: PostgresError?) {
        guard libpq?.enterPipelineMode() == true else { return loseConnection() }
        phase = .pipelining
        promise.settle(failure.map { .failure($0) } ?? .success(()))
    }
}
