import Logging
import Values

/// The parameters of a session as defaults of the login role in its database (PostgreSQL manual, "ALTER ROLE").
///
/// PgBouncer refuses them as start-up parameters, and gives connections of one session to many clients. A role may set its
/// own defaults.
struct RoleParameters {
    let connector: PostgresConnector
    let logger: Logger

    /// Sets the defaults, repeatedly until that succeeds or the task is cancelled.
    func set() async {
        var backoff = Backoff.connecting
        while !Task.isCancelled {
            do {
                return try await attempt()
            } catch {
                logger.warning("postgres: parameters of the role not set, will retry", error: error)
                try? await Task.sleep(for: backoff.next())
            }
        }
    }

    private func attempt() async throws {
        let connection = try await connector.connect(for: .migrating)
        do {
            try await connection.run(script: script)
        } catch {
            await connection.close()
            throw error
        }
        await connector.release(connection)
    }

    /// One transaction. Copies of a service run it one after the other, since concurrent changes of a role fail.
    private var script: String {
        let database = "\"\(connector.configuration.directURL.database.replacing("\"", with: "\"\""))\""
        let parameters = connector.configuration.session.sorted { $0.key < $1.key }
        return """
            SELECT pg_advisory_xact_lock(hashtextextended('parameters of ' || current_user, 0));
            \(parameters.map { "ALTER ROLE CURRENT_USER IN DATABASE \(database) SET \($0) TO \($1);" }.joined(separator: "\n"))
            """
    }
}
