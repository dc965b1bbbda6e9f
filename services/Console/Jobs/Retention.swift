import Logging
import Postgres
import ServiceDatabase
import Synchronization

/// Drops traces after a day, or earlier when they take too much space, and other rows when they have ended.
final class Retention: Sendable {
    private let database: PostgresClient
    private let space: Int
    private let isOver = Mutex(false)
    private let store: TraceStore

    private static let day = 86_400.0

    /// - Parameter space: The most that traces may take, in bytes.
    init(database: PostgresClient, space: Int) {
        (self.database, self.space) = (database, space)
        store = TraceStore(database: database)
    }

    /// Whether the traces of this hour alone take more than they may: no more are stored.
    var isFull: Bool { isOver.withLock { $0 } }

    func run() async throws {
        for table in TraceStore.tables {
            try await TimePartitions(of: table, by: "at", per: .hour, keep: Self.day).maintain(database)
        }
        try await makeRoom()
        try await database.prune("calls", where: "minute < now() - interval '7 days'")
        try await database.prune("statements", where: "hour < now() - interval '7 days'")
        try await database.prune("invitations", where: "expires_at < now()")
        try await database.prune("sessions", where: "expires_at < now()")
        try await database.prune("acts", where: "at < now() - interval '365 days'")
    }

    /// Drops the oldest hours until the rest is small enough.
    private func makeRoom() async throws {
        while true {
            let (size, oldest) = try await store.sizes()
            isOver.withLock { $0 = size > space && oldest == nil }
            guard size > space, let oldest else { return }
            Logger.current.notice(
                "traces: an hour is dropped early",
                metadata: ["hour": "\(oldest)", "bytes": "\(size)"]
            )
            try await store.drop(hour: oldest)
        }
    }
}
