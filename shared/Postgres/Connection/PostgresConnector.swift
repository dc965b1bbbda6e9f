import Synchronization
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

    /// Whether the server is known to be away: a first attempt to connect has failed, and then another that began after
    /// it. One attempt may have taken too long on a busy machine.
    private final class Outage: Sendable {
        private struct State {
            var firstFailure: ContinuousClock.Instant?
            var isKnown = false
        }

        private let state = Mutex(State())

        func ended() { state.withLock { $0 = State() } }

        func failed(attemptFrom start: ContinuousClock.Instant) {
            state.withLock { state in
                if let first = state.firstFailure {
                    state.isKnown = state.isKnown || start >= first
                } else {
                    state.firstFailure = .now
                }
            }
        }

        func began() { state.withLock { $0.isKnown = true } }

        var isKnown: Bool { state.withLock(\.isKnown) }
    }

    /// Records whether the server answers on connections that are open.
    func serverAnswers(_ answers: Bool) {
        if answers { outage.ended() } else { outage.began() }
    }

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

    /// Attempts to connect once.
    ///
    /// - Throws: `PostgresError` (`unavailable`) with the reason, within `connectTimeout`.
    func connect(for purpose: Purpose) async throws -> PostgresConnection {
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
            answerTimeout: timeout == .zero ? configuration.answerTimeout : timeout + configuration.answerGrace,
            contact: contact,
            key: key
        )
        let start = ContinuousClock.now
        do {
            try await connection.connect(parameters, timeout: configuration.connectTimeout)
        } catch let error as PostgresError {
            if error.isAboutConnectionLimit {
                outage(for: purpose).ended()
            } else {
                outage(for: purpose).failed(attemptFrom: start)
            }
            throw error
        }
        outage(for: purpose).ended()
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

extension PostgresError {
    /// Whether a server or pooler that is reachable has as many clients as it allows. libpq reports why it could not
    /// connect as text only.
    fileprivate var isAboutConnectionLimit: Bool {
        ["too many clients", "too many connections", "remaining connection slots", "no more connections allowed"]
            .contains(where: message.contains)
    }
}

extension Backoff {
    /// The pauses between attempts to connect: shorter than calls wait in an outage, so that none fails without an attempt.
    static var connecting: Backoff { Backoff(from: .milliseconds(50), to: .milliseconds(500)) }
}
