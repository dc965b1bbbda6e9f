import Synchronization
import Values

/// Opens connections to the configured database.
struct PostgresConnector: Sendable {
    let configuration: PostgresConfiguration
    let outage = Outage()

    /// Whether the last attempt to connect has failed.
    final class Outage: Sendable {
        private let isKnown = Mutex(false)

        fileprivate func record(_ hasFailed: Bool) { isKnown.withLock { $0 = hasFailed } }

        var hasBegun: Bool { isKnown.withLock(\.self) }
    }

    /// How long a call waits for a connection.
    var timeout: Duration {
        outage.hasBegun ? min(configuration.outageTimeout, configuration.connectTimeout) : configuration.connectTimeout
    }

    /// The purpose of a connection.
    enum Purpose: String {
        /// Reads of many tasks.
        case sharing = "reads"
        /// Single statements and batches that may wait for a lock, one at a time.
        case writing = "writes"
        /// Transactions, one at a time.
        case leasing = "transactions"
        /// Migrations, whose statements have no timeout.
        case migrating = "migrations"
    }

    /// Attempts to connect once.
    ///
    /// - Throws: `PostgresError` (`unavailable`) with the reason, within `connectTimeout`.
    func connect(for purpose: Purpose) async throws -> PostgresConnection {
        let timeout = purpose == .migrating ? .zero : configuration.statementTimeout
        var addresses: [[String]] = []
        for server in configuration.servers { addresses.append(await HostResolver.addresses(of: server.host)) }
        let parameters = configuration.parameters(addresses: addresses, for: purpose)
        let key = ConnectionCache.Key(purpose: purpose, parameters: parameters)
        if let connection = await configuration.cache?.take(key) { return connection }
        let connection = await PostgresConnection(
            sendsAgain: purpose == .sharing || purpose == .writing,
            answerTimeout: timeout == .zero ? nil : timeout + configuration.answerGrace,
            key: key
        )
        do {
            try await connection.connect(parameters, timeout: configuration.connectTimeout)
        } catch let error as PostgresError {
            outage.record(true)
            throw error
        }
        outage.record(false)
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
    func connectPatiently(for purpose: Purpose) async throws -> PostgresConnection {
        let start = ContinuousClock.now
        var backoff = Backoff.connecting
        while true {
            do {
                return try await connect(for: purpose)
            } catch let error as PostgresError {
                let pause = backoff.next()
                let limit = purpose == .migrating ? configuration.connectTimeout : timeout
                guard .now + pause < start + limit else { throw unavailable(because: error.message) }
                try await Task.sleep(for: pause)
            }
        }
    }

    /// The error for a caller without a connection, with hints for operators.
    func unavailable(because reason: String) -> PostgresError {
        PostgresError(
            .unavailable,
            "No connection to \(configuration.place) within \(timeout): \(reason). "
                + "Check that PostgreSQL runs there and that the database URL is right."
        )
    }
}

extension Backoff {
    /// The pauses between attempts to connect.
    static var connecting: Backoff { Backoff(from: .milliseconds(50), to: .seconds(3)) }
}
