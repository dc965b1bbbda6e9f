/// The configuration of a database client.
package struct PostgresConfiguration: Sendable {
    /// A host name, an address, or the directory of a Unix socket.
    package var host: String
    package var port: Int
    package var database: String
    package var user: String
    var password: String
    /// The schema of the tables, which statements do not name. `postgis` and `public` follow it in the search path, for
    /// extensions.
    package var schema: String?
    /// The name of the connections in `pg_stat_activity`.
    package var applicationName: String
    /// Parameters of the URL that are passed to libpq unchanged (`sslmode`, `sslrootcert`, …).
    var options: [String: String]

    /// The number of connections shared for single statements and batches.
    package var sharedConnections = 2
    /// The maximum number of connections for transactions, opened as needed.
    package var leasedConnections = 8
    /// The server's timeout for a statement.
    package var statementTimeout: Duration = .seconds(10)
    /// The server's timeout for an open transaction without statements.
    package var idleTransactionTimeout: Duration = .seconds(30)
    /// How long a call waits for a connection to the server before it fails.
    package var connectTimeout: Duration = .seconds(5)
    /// How long a transaction waits while all connections for transactions are in use before it fails.
    var leaseTimeout: Duration = .seconds(5)
    /// The time in addition to `statementTimeout` after which a server that does not respond is considered dead.
    var answerGrace: Duration = .seconds(5)
    /// The maximum number of attempts of a transaction that fails with a serialization failure or deadlock.
    package var transactionAttempts = 8
    /// The maximum number of statements in flight on one shared connection.
    package var pipelineDepth = 64
    /// The cache that connections are taken from and returned to; nil to open and close them per client.
    package var cache: ConnectionCache?

    /// Parses a URL: `postgres://user:password@host:port/database`, parts percent-encoded where needed;
    /// `?host=/directory` for a Unix socket; `sslmode` and the other ssl parameters as in libpq.
    ///
    /// - Throws: `InvalidURL` with one sentence that names the invalid part, without the password.
    package init(url: String, schema: String? = nil, applicationName: String) throws(InvalidURL) {
        let url = try ConnectionURL(url)
        self.host = url.host
        self.port = url.port
        self.database = url.database
        self.user = url.user
        self.password = url.password
        self.options = url.options
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
        host.hasPrefix("/")
            ? "database \(database) in \(host) (port \(port)) as \(user)"
            : "database \(database) on \(host):\(port) as \(user)"
    }

    /// The parameters for libpq.
    ///
    /// - Parameter addresses: The addresses of `host`, resolved beforehand because libpq would block on it.
    func parameters(addresses: [String], statementTimeout: Duration) -> [String: String] {
        var session = [
            "statement_timeout": statementTimeout.wholeMilliseconds,
            "idle_in_transaction_session_timeout": idleTransactionTimeout.wholeMilliseconds,
            // JIT compilation takes longer than running any statement of Madang.
            "jit": "off",
        ]
        if let schema { session["search_path"] = "\"\(schema.replacing("\"", with: "\"\""))\",postgis,public" }
        var parameters = [
            "host": host,
            "port": String(port),
            "dbname": database,
            "user": user,
            "password": password,
            "application_name": applicationName,
            "client_encoding": "UTF8",
            "gssencmode": "disable",
            "options": session.sorted { $0.key < $1.key }.map { "-c \($0)=\(Self.escaped($1))" }.joined(separator: " "),
            // Keepalives detect an unreachable server within half a minute.
            "keepalives_idle": "10",
            "keepalives_interval": "5",
            "keepalives_count": "3",
            "tcp_user_timeout": "25000",
        ]
        if !addresses.isEmpty {
            parameters["host"] = addresses.map { _ in host }.joined(separator: ",")
            parameters["hostaddr"] = addresses.joined(separator: ",")
        }
        return parameters.merging(options) { $1 }
    }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing(" ", with: "\\ ")
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: String {
        String(components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
