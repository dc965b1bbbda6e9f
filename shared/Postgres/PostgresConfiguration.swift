/// Where the database is and how the client treats it.
package struct PostgresConfiguration: Sendable {
    /// A host name, an address, or the directory of a Unix socket.
    package var host: String
    package var port: Int
    package var database: String
    package var user: String
    var password: String
    /// The schema that holds the tables; statements never name it. `postgis` and `public` come behind it, for extensions.
    package var schema: String?
    /// The name under which the connections appear in `pg_stat_activity`.
    package var applicationName: String
    /// Settings of the URL that go to libpq as they are (`sslmode`, `sslrootcert`, …).
    var options: [String: String]

    /// Connections that many tasks share for single statements and batches.
    package var sharedConnections = 2
    /// Connections that a transaction has to itself, opened as needed.
    package var leasedConnections = 8
    /// After this long the server gives up a statement.
    package var statementTimeout: Duration = .seconds(10)
    /// After this long without a statement the server gives up an open transaction.
    package var idleTransactionTimeout: Duration = .seconds(30)
    /// How long a call waits for a connection before it fails: for the server to come up, or for a busy one to be free.
    package var connectTimeout: Duration = .seconds(5)
    /// How long beyond `statementTimeout` a silent server is waited for before it is taken for dead.
    var answerGrace: Duration = .seconds(5)
    /// How often a transaction is run before losing against others (serialization failure, deadlock) is final.
    package var transactionAttempts = 8
    /// How many statements may be on their way on one shared connection.
    package var pipelineDepth = 64
    /// Where connections come from and go to, if not opened and closed for each client.
    package var cache: ConnectionCache?

    /// Reads a URL: `postgres://user:password@host:port/database`, parts percent-encoded where needed;
    /// `?host=/directory` for a Unix socket; `sslmode` and the other ssl parameters as libpq has them.
    ///
    /// - Throws: `InvalidURL`, one sentence that names the part that is wrong, without the password.
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

    /// The database in words, for messages: `database madang on 127.0.0.1:5432 as auth`.
    package var place: String {
        host.hasPrefix("/")
            ? "database \(database) in \(host) (port \(port)) as \(user)"
            : "database \(database) on \(host):\(port) as \(user)"
    }

    /// The parameters for libpq.
    ///
    /// - Parameter addresses: the addresses of `host`, resolved beforehand because libpq would block on it.
    func parameters(addresses: [String], statementTimeout: Duration) -> [String: String] {
        var session = [
            "statement_timeout": statementTimeout.wholeMilliseconds,
            "idle_in_transaction_session_timeout": idleTransactionTimeout.wholeMilliseconds,
            // Compiling a statement takes longer than any of ours runs.
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
            // A peer that vanished without a word is noticed within half a minute.
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
