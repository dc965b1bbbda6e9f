package import Logging
import Values

/// The configuration of a database client.
package struct PostgresConfiguration: Sendable {
    /// The servers, of which the first that can be reached and accepts writes is used, or a pooler before them.
    var url: ConnectionURL
    /// The servers without the pooler, for what needs a session: LISTEN and migrations.
    var directURL: ConnectionURL
    /// The schema of the tables, which statements do not name. `postgis` and `public` follow it in the search path, for
    /// extensions.
    package var schema: String?
    /// The name of the connections in `pg_stat_activity`.
    package var applicationName: String

    /// The number of connections shared for reads.
    package var sharedConnections = 2
    /// The maximum number of connections for single statements that may wait for a lock, opened as needed.
    package var writeConnections = 4
    /// The maximum number of connections for transactions, opened as needed.
    package var leasedConnections = 8
    /// The time after which an unused connection for writes or transactions is closed.
    package var idleLeaseTimeout: Duration = .seconds(2)
    /// The server's timeout for a statement.
    package var statementTimeout: Duration = .seconds(10)
    /// The server's timeout for a lock. The statement or transaction is then repeated twice.
    package var lockTimeout: Duration = .seconds(2)
    /// The server's timeout for a statement of a migration, which may have locked its tables.
    package var migrationTimeout: Duration = .seconds(30)
    /// The size above which a migration must not rewrite a table, in bytes.
    package var largeTable = 64 << 20
    /// The server's timeout for an open transaction without statements.
    package var idleTransactionTimeout: Duration = .seconds(5)
    /// How long a call waits for a connection to the server before it fails.
    package var connectTimeout: Duration = .seconds(5)
    /// How long a call waits for a connection after the last attempt to connect has failed.
    package var outageTimeout: Duration = .seconds(1)
    /// How long a write or transaction waits while all connections for it are in use before it fails.
    var leaseTimeout: Duration = .seconds(5)
    /// The time in addition to `statementTimeout` after which a server that does not respond is considered dead.
    var answerGrace: Duration = .seconds(5)
    /// The time after which a server that does not respond is considered dead if `statementTimeout` is zero; nil to wait.
    package var answerTimeout: Duration?
    /// The maximum number of attempts of a statement or transaction that fails with a serialization failure or deadlock.
    package var transactionAttempts = 8
    /// Whether transactions run on the thread of the connections, so that no statement changes threads. It is that of all
    /// clients of a process: right for one with a single client, whose transactions do not compute for long.
    package var runsTransactionsOnLoop = false
    /// The maximum number of statements in flight on one shared connection.
    package var pipelineDepth = 64
    /// The cache that connections are taken from and returned to; nil to open and close them per client.
    package var cache: ConnectionCache?
    /// The time between two announcements by NOTIFY that are made for the measurement of their way.
    package var announcementPause: Duration = .seconds(5)
    /// Makes what carries announcements for a client; nil for NOTIFY.
    package var announcer: (@Sendable (Logger) -> any Announcer)?

    /// Parses a URL: `postgres://user:password@host:port/database`, parts percent-encoded where needed; several
    /// `host:port` separated by commas for a primary and its standbys; `?host=/directory` for a Unix socket; `sslmode`,
    /// the other ssl parameters and `target_session_attrs` as in libpq.
    ///
    /// - Parameter directURL: The URL of the servers if `url` is that of PgBouncer.
    /// - Throws: `InvalidURL` with one sentence that names the invalid part, without the password.
    package init(
        url: String,
        directURL: String? = nil,
        schema: String? = nil,
        applicationName: String
    ) throws(InvalidURL) {
        self.url = try ConnectionURL(url)
        self.directURL = try directURL.map { url throws(InvalidURL) in try ConnectionURL(url) } ?? self.url
        self.schema = schema
        self.applicationName = applicationName
    }

    /// A database URL that cannot be used.
    package struct InvalidURL: Error, CustomStringConvertible, Equatable {
        package let description: String

        init(_ problem: String) {
            description = "the database URL \(problem)"
        }
    }

    /// A description of the database for messages: `database madang on 127.0.0.1:5432 as auth`.
    package var place: String {
        "database \(url.database) on \(url.servers.map(\.description).joined(separator: ", ")) as \(url.user)"
    }

    package var user: String { url.user }
    package var database: String { url.database }

    /// Whether the password of `url` can be guessed: it is missing though no certificate takes its place, shorter than 16
    /// characters, or the user's name.
    package var hasGuessablePassword: Bool {
        let password = url.password
        if password.isEmpty { return url.options["sslcert"] == nil }
        return password.unicodeScalars.count < 16 || password == url.user
    }

    /// Whether `url` is that of a pooler, which gives a connection to the server to another client after each
    /// transaction, and passes no parameters of a session on: the role has them instead.
    var isPooled: Bool { url.servers != directURL.servers }

    func url(for purpose: PostgresConnector.Purpose) -> ConnectionURL {
        switch purpose {
        case .sharing, .writing, .leasing: url
        case .listening, .migrating: directURL
        }
    }

    /// The parameters of a session.
    var session: [String: String] {
        var session = [
            "statement_timeout": statementTimeout.wholeMilliseconds,
            "lock_timeout": lockTimeout.wholeMilliseconds,
            "idle_in_transaction_session_timeout": idleTransactionTimeout.wholeMilliseconds,
            // JIT compilation takes longer than running any statement of Madang.
            "jit": "off",
            // What an index leads to is in memory. With the cost of a disk, PostgreSQL considers general plans so much dearer
            // that it plans each execution of most statements, which takes longer than running them.
            "random_page_cost": "0.1",
        ]
        if Sabotage.commitNotFlushed.isBuiltIn { session["synchronous_commit"] = "off" }
        if let schema { session["search_path"] = "\"\(schema.replacing("\"", with: "\"\""))\",postgis,public" }
        return session
    }

    /// The parameters for libpq.
    ///
    /// - Parameters:
    ///   - addresses: The addresses of each server, resolved beforehand because libpq would block on it; none for a Unix
    ///     socket.
    ///   - silent: The servers that are tried after the others; see `LibPQ.server`.
    ///   - purpose: For migrations, whose statements have no timeout.
    func parameters(
        addresses: [[String]],
        lastly silent: Set<String> = [],
        for purpose: PostgresConnector.Purpose
    ) -> [String: String] {
        let url = url(for: purpose)
        var session = isPooled && purpose != .listening ? [:] : session
        if purpose == .migrating {
            session = self.session.merging(["statement_timeout": "0", "lock_timeout": "0"]) { $1 }
        }
        let all = zip(url.servers, addresses).flatMap { server, addresses in
            (addresses.isEmpty ? [""] : addresses).map { Entry(server: server, address: $0) }
        }
        let entries = all.filter { !silent.contains($0.name) } + all.filter { silent.contains($0.name) }
        // Without a statement under way, a server is noticed to be unreachable by keepalives alone.
        let isQuiet = purpose == .listening
        let parameters = [
            "host": entries.map(\.server.host).joined(separator: ","),
            "hostaddr": entries.map(\.address).joined(separator: ","),
            "port": entries.map { String($0.server.port) }.joined(separator: ","),
            "dbname": url.database,
            "user": url.user,
            "password": url.password,
            "application_name": applicationName,
            "client_encoding": "UTF8",
            "gssencmode": "disable",
            "options": session.sorted { $0.key < $1.key }.map { "-c \($0)=\(Self.escaped($1))" }.joined(separator: " "),
            "keepalives_idle": isQuiet ? "2" : "10",
            "keepalives_interval": isQuiet ? "1" : "5",
            "keepalives_count": "3",
            "tcp_user_timeout": isQuiet ? "5000" : "25000",
        ]
        return parameters.merging(url.options) { $1 }
    }

    /// A server at one of its addresses, which is empty for a Unix socket.
    private struct Entry {
        var server: ConnectionURL.Server
        var address: String

        /// See `LibPQ.server`.
        var name: String { "\(address.isEmpty ? server.host : address):\(server.port)" }
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing(" ", with: "\\ ")
    }
}

extension Duration {
    var wholeMilliseconds: String {
        String(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
