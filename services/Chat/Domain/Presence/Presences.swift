import Contracts
import FoundationEssentials
import Logging
import Postgres
import ServiceLifecycle
import Synchronization

/// The presence of this process's sockets in rooms. Kept in memory, and in a table for all replicas while this
/// replica's heartbeat is recent.
final class Presences: Service {
    let copy = UUID()
    private let database: PostgresClient
    private let logger: Logger
    private let store = PresenceStore()
    private let live = LiveStore()
    private let local = Mutex<[UUID: Presence]>([:])

    private static let pause = Duration.seconds(2)

    init(database: PostgresClient, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// Records that a socket shows a room, and no other.
    func enter(_ presence: Presence) async {
        local.withLock { $0[presence.id] = presence }
        await quietly {
            try await self.store.save([presence], of: self.copy, in: self.database)
            _ = try await self.database.run(
                self.live.announce([.presence(presence.room, of: presence.account, isPresent: true)])
            )
        }
        // The socket may have left before its row was inserted.
        if local.withLock({ $0[presence.id] }) == nil { await forget(presence) }
    }

    /// Records that a socket shows no room.
    func leave(_ socket: UUID) async {
        guard let presence = local.withLock({ $0.removeValue(forKey: socket) }) else { return }
        await forget(presence)
    }

    /// The room that a socket of this process shows; nil when it is not active.
    func room(of socket: UUID) -> RoomID? {
        local.withLock { $0[socket]?.room }
    }

    /// Whether a socket of an account, on any replica, shows a room.
    func isPresent(_ account: AccountID, in room: RoomID) async throws -> Bool {
        try await database.run(store.present(in: [room])).contains { $0.account == account }
    }

    private func forget(_ presence: Presence) async {
        await quietly {
            try await self.store.delete(presence.id, in: self.database)
            // Another socket of the account still shows the room.
            if try await self.isPresent(presence.account, in: presence.room) { return }
            _ = try await self.database.run(
                self.live.announce([.presence(presence.room, of: presence.account, isPresent: false)])
            )
        }
    }

    /// Writes this replica's heartbeat and removes replicas without one.
    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            while !Task.isCancelled {
                await quietly { try await self.beat() }
                try? await Task.sleep(for: Self.pause)
            }
        }
        await quietly { try await self.store.delete(copy: self.copy, in: self.database) }
    }

    private func beat() async throws {
        if try await store.beat(copy, in: database) {
            try await store.save(Array(local.withLock { $0.values }), of: copy, in: database)
        }
        try await database.transaction { transaction in
            let lost = try await store.sweep(in: transaction)
            guard !lost.isEmpty else { return }
            let left = try await transaction.run(store.present(in: lost.map(\.room)))
            let gone = lost.filter { lost in
                !left.contains { $0.room == lost.room && $0.account == lost.account }
            }
            let notifications = gone.map { ChangeNotification.presence($0.room, of: $0.account, isPresent: false) }
            _ = try await transaction.run(live.announce(notifications))
        }
    }

    /// Presence errors are only logged: a missing presence leads to one superfluous push.
    private func quietly(_ body: @escaping @Sendable () async throws -> Void) async {
        do {
            try await body()
        } catch {
            if !Task.isCancelled { logger.warning("presence: an update could not be stored", error: error) }
        }
    }
}
