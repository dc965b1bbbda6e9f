package import FoundationEssentials
import Postgres
package import StackKit

/// Ends a move on both servers, in either direction. Each step may be repeated, so that another command can end what a
/// killed one has begun.
package struct MoveSettlement: Sendable {
    private let record: MoveRecord
    private let names: MoveNames
    private let source: ServerURL
    private let target: ServerURL

    package init(_ record: MoveRecord) throws {
        self.record = record
        names = MoveNames(service: record.service)
        source = try ServerURL(record.source.administrator)
        target = try ServerURL(record.target.administrator)
    }

    /// Whether the source has committed to refuse writes. Sessions that could still do so are ended before.
    package func isDecided() async throws -> Bool {
        try await Administrator(url: source, name: names.settling).connect { here in
            try await end(names.moving, here)
            let isDone = try await here.value(
                "SELECT to_regclass(\("\(names.own).done")) IS NOT NULL",
                as: Bool.self
            )
            guard isDone else { return false }
            // The session that committed it may have ended before a synchronous standby had it; a later commit waits for that.
            try await here.transaction { transaction in
                try await transaction.execute("SET LOCAL synchronous_commit = on")
                try await transaction.execute("SELECT pg_logical_emit_message(true, \(names.own), 'decided')")
            }
            return true
        }
    }

    private func end(_ name: String, _ client: PostgresClient) async throws {
        while try await client.value(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = \(name)",
            as: Int.self
        ) > 0 {
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    // MARK: Forward

    /// Lets the target accept the service's writes. Its commit makes the copy durable.
    static func open(_ there: PostgresClient, _ record: MoveRecord) async throws {
        let database = try ServerURL(record.target.administrator).database
        try await there.transaction { transaction in
            try await transaction.execute("SET LOCAL synchronous_commit = on")
            try await transaction.execute(
                SQL(
                    text: """
                        ALTER ROLE \(record.service) IN DATABASE \(database) RESET default_transaction_read_only
                        """
                )
            )
            try await RowIdentity(schema: record.service).remove(in: transaction)
            let own = MoveNames(service: record.service).own
            try await transaction.execute("DROP SCHEMA IF EXISTS \(identifier: own) CASCADE")
        }
    }

    /// Lets the target accept writes, and ends its subscription.
    package func open() async throws {
        try await Administrator(url: target, name: names.settling).connect { there in
            try await end(names.moving, there)
            try await Self.open(there, record)
            try await dropSubscription(there)
        }
    }

    /// Ends the replication on the source and keeps the earlier schema under another name, when no copy of the service uses
    /// it.
    ///
    /// - Returns: The name; nil if it was done before.
    @discardableResult package func seal(at time: Date = .now) async throws -> String? {
        try await Administrator(url: source, name: names.settling).connect { here in
            try await dropSlots(here)
            try await MoveRole(ServerURL(record.connection)).drop(in: here)
            let isOpen = try await here.value(
                "SELECT to_regnamespace(\(names.own)) IS NOT NULL AND to_regnamespace(\(record.service)) IS NOT NULL",
                as: Bool.self
            )
            guard isOpen else { return nil }
            let digits = time.formatted(.iso8601).filter(\.isNumber)
            let name = "\(record.service)_moved_\(digits.prefix(8))_\(digits.dropFirst(8))"
            try await here.transaction { transaction in
                let statements = [
                    "ALTER SCHEMA \(record.service) RENAME TO \(name)", "DROP PUBLICATION IF EXISTS \(names.own)",
                    "DROP SCHEMA \(names.own) CASCADE", "ALTER ROLE \(record.service) NOLOGIN",
                ]
                for statement in statements { try await transaction.execute(SQL(text: statement)) }
            }
            return name
        }
    }

    // MARK: Back

    /// Removes what the move has created on both servers.
    ///
    /// - Returns: Why the target could not be cleaned; the next move does that.
    @discardableResult package func undo() async throws -> String? {
        try await Administrator(url: source, name: names.settling).connect { here in
            try await end(names.moving, here)
            try await dropSlots(here)
            try await MoveRole(ServerURL(record.connection)).drop(in: here)
            try await here.execute("DROP PUBLICATION IF EXISTS \(identifier: names.own)")
            try await here.execute("DROP SCHEMA IF EXISTS \(identifier: names.own) CASCADE")
        }
        do {
            try await Administrator(url: target, name: names.settling).connect { there in
                try await end(names.moving, there)
                try await dropSubscription(there)
                // A schema without this one is no copy.
                let isCopy = try await there.value("SELECT to_regnamespace(\(names.own)) IS NOT NULL", as: Bool.self)
                guard isCopy else { return }
                try await there.execute("DROP SCHEMA IF EXISTS \(identifier: record.service) CASCADE")
                try await there.execute("DROP SCHEMA \(identifier: names.own) CASCADE")
            }
            return nil
        } catch let error as PostgresError {
            return error.message
        } catch let error as StackError {
            return error.description
        }
    }

    // MARK: Replication

    private func dropSubscription(_ there: PostgresClient) async throws {
        let exists = try await there.value(
            """
            SELECT EXISTS (SELECT FROM pg_subscription s JOIN pg_database d ON d.oid = s.subdbid
                WHERE s.subname = \(names.own) AND d.datname = current_database())
            """,
            as: Bool.self
        )
        guard exists else { return }
        try await there.execute(SQL(text: "ALTER SUBSCRIPTION \(names.own) DISABLE"))
        try await there.execute(SQL(text: "ALTER SUBSCRIPTION \(names.own) SET (slot_name = NONE)"))
        try await there.execute(SQL(text: "DROP SUBSCRIPTION \(names.own)"))
        let database = try await there.value("SELECT current_database()::text", as: String.self)
        try await there.execute("ALTER DATABASE \(identifier: database) RESET backend_flush_after")
    }

    /// Drops the slots of the subscription and of its tables; a forgotten one would keep the write-ahead log for ever.
    private func dropSlots(_ here: PostgresClient) async throws {
        let pattern = record.subscription.map { "pg\\_\($0)\\_sync\\_%" } ?? names.own
        let own: SQL = "database = current_database() AND (slot_name = \(names.own) OR slot_name LIKE \(pattern))"
        while true {
            do {
                try await here.execute(
                    "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE \(own) AND active"
                )
                try await here.execute(
                    "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE \(own)"
                )
                return
            } catch let error as PostgresError where error.sqlState == .objectInUse {
                // The target has connected again in between.
                try await Task.sleep(for: .milliseconds(5))
            }
        }
    }
}
