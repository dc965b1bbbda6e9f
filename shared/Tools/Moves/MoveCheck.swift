import Postgres
package import StackKit

/// Checks that a service's schema can be moved, without a change.
package struct MoveCheck: Sendable {
    private let service: String
    private let source: ServerURL
    private let target: ServerURL
    private let connection: ServerURL
    private let report: @Sendable (String) -> Void
    private let names: MoveNames

    /// - Parameters:
    ///   - source: An administrator's URL of the database that has the schema.
    ///   - target: One of the database that is to have it, with the primary's address only.
    ///   - connection: The source as the target reaches it, with the role that copies.
    ///   - report: Is called with what could not be checked.
    package init(
        _ service: String,
        from source: ServerURL,
        to target: ServerURL,
        connection: ServerURL,
        report: @escaping @Sendable (String) -> Void
    ) {
        (self.service, self.source, self.target, self.connection) = (service, source, target, connection)
        self.report = report
        names = MoveNames(service: service)
    }

    /// - Throws: `StackError` with the first thing that is in the way.
    package func run() async throws {
        guard target.database.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil else {
            throw StackError("the database's name in the URL is not made of small letters, digits and _")
        }
        try await Administrator(url: source, name: names.moving).connect { here in
            let elsewhere = Administrator(url: target.of(database: "postgres"), name: names.moving)
            try await elsewhere.connect { there in
                let facts = try await ServerFacts(of: here, at: source.place, isSource: true)
                var others = try await ServerFacts(of: there, at: target.place, isSource: false)
                if others.isSuperuser { others.freeBytes = await freeBytes(there) }
                let schema = try await SchemaFacts(service, in: here)
                if let problem = facts.problem(movingTo: others, schema) { throw StackError(problem) }
                try await requireUnused(there)
                try await requireConnection(here, there)
            }
        }
    }

    /// The free space of the disk with the server's data.
    private func freeBytes(_ there: PostgresClient) async -> Int? {
        let line = try? await rolledBack(there) { transaction in
            try await transaction.execute("CREATE TEMPORARY TABLE disk (line text)")
            try await transaction.execute(
                "COPY disk FROM PROGRAM 'df -Pk . | tail -n 1 | tr -s \" \" | cut -d \" \" -f 4'"
            )
            return try await transaction.value("SELECT line FROM disk", as: String.self)
        }
        let bytes = line.flatMap { Int($0) }.map { $0 * 1024 }
        if bytes == nil { report("the free space of \(target.place) is unknown, and was not checked") }
        return bytes
    }

    /// The role is of no other database, and the schema has no tables, except those that a move has left.
    private func requireUnused(_ there: PostgresClient) async throws {
        let other = try await there.optional(
            """
            SELECT d.datname::text FROM pg_shdepend s JOIN pg_roles r ON r.oid = s.refobjid
                JOIN pg_database d ON d.oid = s.dbid
            WHERE s.refclassid = 'pg_authid'::regclass AND r.rolname = \(service) AND d.datname <> \(target.database) LIMIT 1
            """
        ) { try $0.decode(String.self) }
        if let other {
            throw StackError("the role \(service) of \(target.place) is that of another database, \(other)")
        }
        let exists = try await there.value(
            "SELECT EXISTS (SELECT FROM pg_database WHERE datname = \(target.database))",
            as: Bool.self
        )
        guard exists else { return }
        try await Administrator(url: target, name: names.moving).connect { there in
            let isTaken = try await there.value(
                """
                SELECT EXISTS (
                    SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = \(service)
                ) AND NOT EXISTS (SELECT FROM pg_namespace WHERE nspname = \(names.own))
                """,
                as: Bool.self
            )
            guard !isTaken else {
                throw StackError("\(target.place) has tables of \(service) already; a move does not replace them")
            }
            let schema = try await there.optional(
                "SELECT extnamespace::regnamespace::text FROM pg_extension WHERE extname = 'postgis'"
            ) { try $0.decode(String.self) }
            guard let schema, schema != "postgis" else { return }
            throw StackError(
                "PostGIS of \(target.place) is in the schema \(schema) of \(target.database), and Madang's services have it "
                    + "in postgis; name another database in the URL"
            )
        }
    }

    /// A subscription is created, which connects to the source by a role of its own, and both are taken back.
    private func requireConnection(_ here: PostgresClient, _ there: PostgresClient) async throws {
        let connection = connection.of(role: "\(names.own)_check", password: connection.password)
        let role = MoveRole(connection)
        try await role.create(in: here)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await connect(connection, there))
        } catch {
            outcome = .failure(error)
        }
        try await role.drop(in: here)
        try outcome.get()
    }

    private func connect(_ connection: ServerURL, _ there: PostgresClient) async throws {
        let url = SQL.quoted(connection.text)
        do {
            _ = try await rolledBack(there) { transaction in
                try await transaction.execute(
                    SQL(
                        text: """
                            CREATE SUBSCRIPTION \(names.own)_check CONNECTION \(url) PUBLICATION \(names.own)
                            WITH (enabled = false, create_slot = false, slot_name = NONE, copy_data = false)
                            """
                    )
                )
            }
        } catch let error as PostgresError {
            throw StackError(
                "\(target.place) cannot reach the present server at \(connection.place) (\(error.message)); "
                    + "--from names an address at which it can"
            )
        }
    }

    private struct RolledBack: Error {}

    private func rolledBack<Value>(
        _ client: PostgresClient,
        _ body: (PostgresTransaction) async throws -> Value
    ) async throws -> Value {
        var value: Value?
        do {
            try await client.transaction { transaction in
                value = try await body(transaction)
                throw RolledBack()
            }
        } catch is RolledBack {}
        guard let value else { throw RolledBack() }
        return value
    }
}
