import FoundationEssentials
import Postgres

/// A gapless part of the write-ahead log. It begins when archiving begins, after a restore, and after a gap, and is
/// named by when: `20261125t123456789z`.
///
/// A replication slot in the server, `madang_HISTORY`, keeps what is not archived yet. A restored cluster has no slots,
/// and the server invalidates one that keeps too much (`max_slot_wal_keep_size`); then another history begins, with a
/// base backup of its own.
struct LogHistory: Sendable, Equatable {
    let name: String

    var slot: String { "\(Self.prefix)\(name)" }

    private static let prefix = "madang_"

    /// The history that the server is in; nil if nothing is archived.
    static func current(_ client: PostgresClient) async throws -> LogHistory? {
        let slots = try await client.all(
            """
            SELECT slot_name::text FROM pg_replication_slots
            WHERE slot_type = 'physical' AND starts_with(slot_name, \(prefix)) AND wal_status <> 'lost'
            ORDER BY slot_name
            """
        ) { try $0.decode(String.self) }
        return slots.last.map { LogHistory(name: String($0.dropFirst(prefix.count))) }
    }

    /// The history that the server is in, or a new one.
    static func open(_ client: PostgresClient) async throws -> LogHistory {
        if let current = try await current(client) { return current }
        try await client.execute(
            """
            SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots
            WHERE slot_type = 'physical' AND starts_with(slot_name, \(prefix)) AND wal_status = 'lost'
            """
        )
        let history = LogHistory(name: BackupTime.name(.now).lowercased())
        try await client.execute("SELECT pg_create_physical_replication_slot(\(history.slot), true)")
        return history
    }

    /// Ends a connection that still archives, of a process that was killed.
    func release(_ client: PostgresClient) async throws {
        try await client.execute(
            """
            SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots
            WHERE slot_name = \(slot) AND active_pid IS NOT NULL
            """
        )
    }
}
