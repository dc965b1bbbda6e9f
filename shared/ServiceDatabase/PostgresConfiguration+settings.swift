package import Logging
package import NATS
package import Postgres
package import ServiceKit

extension PostgresConfiguration {
    /// Reads `DATABASE_URL`, `DATABASE_DIRECT_URL`, `DATABASE_READ_CONNECTIONS`, `DATABASE_WRITE_CONNECTIONS`,
    /// `DATABASE_TRANSACTION_CONNECTIONS`, `DATABASE_OUTAGE_WAIT` and `ANNOUNCER_URL`.
    ///
    /// - Parameters:
    ///   - service: The name of the service, of its schema and, in development, of its role.
    ///   - transactions: The default number of connections for transactions.
    package init(_ settings: inout Settings, service: String, transactions: Int = 8) throws {
        let url = settings.databaseURL(
            "DATABASE_URL",
            development: "postgres://\(service):\(service)@127.0.0.1:5432/madang",
            "the PostgreSQL database, with the login role of this service; several host:port joined by commas"
        )
        let directURL = settings.databaseURL(
            "DATABASE_DIRECT_URL",
            development: "",
            isRequired: false,
            "the same database without the pooler, if DATABASE_URL is that of PgBouncer; for LISTEN and migrations"
        )
        try self.init(
            url: url,
            directURL: directURL.isEmpty ? nil : directURL,
            schema: service,
            applicationName: service
        )
        runsTransactionsOnLoop = true
        sharedConnections = settings.int(
            "DATABASE_READ_CONNECTIONS",
            default: 2,
            in: 1...64,
            "connections to the database for reads, open all the time"
        )
        writeConnections = settings.int(
            "DATABASE_WRITE_CONNECTIONS",
            default: 4,
            in: 1...64,
            "connections for single writes at most, opened as needed"
        )
        leasedConnections = settings.int(
            "DATABASE_TRANSACTION_CONNECTIONS",
            default: transactions,
            in: 1...256,
            "connections for transactions at most, opened as needed"
        )
        outageTimeout = .seconds(
            settings.int(
                "DATABASE_OUTAGE_WAIT",
                default: 1,
                in: 0...5,
                "seconds that a call waits for a database that has been away before; 5 while another one takes over"
            )
        )
        let announcerURL = settings.credential(
            "ANNOUNCER_URL",
            development: "",
            isRequired: false,
            "nats://user:password@host:4222,host:4222?cluster=name, which carries announcements instead of NOTIFY"
        )
        if !announcerURL.isEmpty { announcer = try announcer(at: NATSConfiguration(url: announcerURL)) }
    }

    /// What makes announcers with subjects of this database and schema.
    package func announcer(
        at nats: NATSConfiguration,
        limits: NATSAnnouncer.Limits = NATSAnnouncer.Limits()
    ) -> @Sendable (Logger) -> any Announcer {
        { [database, applicationName, schema = schema ?? "public"] logger in
            NATSAnnouncer(
                nats,
                scope: [database, schema],
                applicationName: applicationName,
                limits: limits,
                logger: logger
            )
        }
    }
}

extension Settings {
    /// A database URL, whose password production refuses if it can be guessed.
    fileprivate mutating func databaseURL(
        _ name: String,
        development: String,
        isRequired: Bool = true,
        _ meaning: String
    ) -> String {
        let url = credential(name, development: development, isRequired: isRequired, meaning)
        guard environment == .production, url != development else { return url }
        return value(
            name,
            default: url,
            "a URL with a password of 16 characters or longer that is not the user's name",
            meaning
        ) { url in
            // One that cannot be parsed is refused by the configuration that is made of it.
            let configuration = try? PostgresConfiguration(url: url, applicationName: name)
            return configuration?.hasGuessablePassword == true ? nil : url
        }
    }
}
