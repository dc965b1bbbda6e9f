import Values

/// Opens connections to the configured database.
struct PostgresConnector: Sendable {
    let configuration: PostgresConfiguration

    /// The purpose of a connection.
    enum Purpose: Hashable {
        /// Single statements and batches of many tasks.
        case sharing
        /// Transactions, one at a time.
        case leasing
        /// Migrations, whose statements have no timeout.
        case migrating
    }

    /// Attempts to connect once.
    ///
    /// - Throws: `PostgresError` (`unavailable`) with the reason, within `connectTimeout`.
    func connect(for purpose: Purpose) async throws -> PostgresConnection {
        let timeout = purpose == .migrating ? .zero : configuration.statementTimeout
        let addresses = await HostResolver.addresses(of: configuration.host)
        let parameters = configuration.parameters(addresses: addresses, statementTimeout: timeout)
        let key = ConnectionCache.Key(purpose: purpose, parameters: parameters)
        if let connection = await configuration.cache?.take(key) { return connection }
        let connection = await PostgresConnection(
            sendsAgain: purpose == .sharing,
            answerTimeout: timeout == .zero ? nil : timeout + configuration.answerGrace,
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

    /// Attempts to connect until it succeeds, for at most `connectTimeout`.
    func connectPatiently(for purpose: Purpose) async throws -> PostgresConnection {
        let deadline = ContinuousClock.now + configuration.connectTimeout
        var backoff = Backoff.connecting
        while true {
            do {
                return try await connect(for: purpose)
            } catch let error as PostgresError {
                let pause = backoff.next()
                guard .now + pause < deadline else { throw unavailable(because: error.message) }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// The error for a caller without a connection, with hints for operators.
    func unavailable(because reason: String) -> PostgresError {
        PostgresError(
            .unavailable,
            "No connection to \(configuration.place) within \(configuration.connectTimeout): \(reason). "
                + "Check that PostgreSQL runs there and that the database URL is right."
        )
    }
}

extension Backoff {
    /// The pauses between attempts to connect.
    static var connecting: Backoff { Backoff(from: .milliseconds(50), to: .seconds(3)) }
}
