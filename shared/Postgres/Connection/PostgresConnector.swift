import Values

/// Opens connections to the configured database.
struct PostgresConnector: Sendable {
    let configuration: PostgresConfiguration
    let contact = ServerContact()
    private let outage = Outage()
    private let directOutage: Outage

    init(configuration: PostgresConfiguration) {
        self.configuration = configuration
        directOutage = configuration.isPooled ? Outage() : outage
    }

    /// Records whether the server answers on connections that are open.
    func serverAnswers(_ answers: Bool) {
        if answers { outage.ended() } else { outage.began() }
    }

    /// Records that the server has ended a connection.
    func connectionLost(for purpose: Purpose) { outage(for: purpose).suspect() }

    private func outage(for purpose: Purpose) -> Outage {
        switch purpose {
        case .sharing, .writing, .leasing: outage
        case .listening, .migrating: directOutage
        }
    }

    /// How long a call waits for a connection.
    func timeout(for purpose: Purpose) -> Duration {
        outage(for: purpose).isKnown
            ? min(configuration.outageTimeout, configuration.connectTimeout) : configuration.connectTimeout
    }

    /// The purpose of a connection.
    enum Purpose: String {
        /// Reads of many tasks.
        case sharing = "reads"
        /// Single statements and batches that may wait for a lock, one at a time.
        case writing = "writes"
        /// Transactions, one at a time.
        case leasing = "transactions"
        /// LISTEN and NOTIFY.
        case listening = "notifications"
        /// Migrations, whose statements have no timeout.
        case migrating = "migrations"
    }

    /// Attempts to connect once, or shares the failure of another attempt.
    ///
    /// - Throws: `PostgresError` (`unavailable`) with the reason, within twice the `connectTimeout`.
    func connect(for purpose: Purpose) async throws -> PostgresConnection {
        try await outage(for: purpose).attempt { try await open(for: purpose) }
    }

    private func open(for purpose: Purpose) async throws -> PostgresConnection {
        let timeout = purpose == .migrating ? .zero : configuration.statementTimeout
        var addresses: [[String]] = []
        for server in configuration.url(for: purpose).servers {
            addresses.append(await HostResolver.addresses(of: server.host))
        }
        let silent = await contact.silentServers
        let parameters = configuration.parameters(addresses: addresses, lastly: silent, for: purpose)
        let key = ConnectionCache.Key(purpose: purpose, parameters: parameters)
        if let connection = await configuration.cache?.take(key) { return connection }
        let connection = await PostgresConnection(
            sendsAgain: [.sharing, .writing, .listening].contains(purpose),
            onlyReads: purpose == .sharing,
            answerTimeout: timeout == .zero ? configuration.answerTimeout : timeout + configuration.answerGrace,
            contact: contact,
            key: key
        )
        try await connection.connect(parameters, timeout: configuration.connectTimeout)
        return connection
    }

    /// Closes a connection that is no longer needed, or returns it to the cache.
    @PostgresLoop
    func release(_ connection: PostgresConnection) {
        if let cache = configuration.cache, connection.isClean {
            cache.keep(connection, as: connection.key)
        } else {
            connection.close()
        }
    }

    /// Attempts to connect until it succeeds, for at most `timeout`.
    ///
    /// - Parameter idle: A connection that has become free in the meantime, which is used instead.
    @PostgresLoop
    func connectPatiently(
        for purpose: Purpose,
        orUse idle: @PostgresLoop () -> PostgresConnection? = { nil }
    ) async throws -> PostgresConnection {
        let start = ContinuousClock.now
        var backoff = Backoff.connecting
        while true {
            if let connection = idle() { return connection }
            do {
                return try await connect(for: purpose)
            } catch let error as PostgresError {
                let pause = backoff.next()
                let limit = purpose == .migrating ? configuration.connectTimeout : timeout(for: purpose)
                guard .now + pause < start + limit else { throw unavailable(for: purpose, because: error.message) }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// The error for a caller without a connection, with hints for operators.
    func unavailable(for purpose: Purpose, because reason: String) -> PostgresError {
        let hint =
            reason.contains("unsupported startup parameter")
            ? "This is a pooler; set DATABASE_DIRECT_URL to the server behind it."
            : "Check that PostgreSQL runs there and that the database URL is right."
        return PostgresError(
            .unavailable,
            "No connection to \(configuration.place) within \(timeout(for: purpose)): \(reason). \(hint)"
        )
    }
}

extension Backoff {
    /// The pauses between attempts to connect: shorter than calls wait in an outage, so that none fails without an attempt.
    static var connecting: Backoff { Backoff(from: .milliseconds(50), to: .milliseconds(500)) }
}
