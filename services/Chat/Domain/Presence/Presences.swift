import Contracts
import FoundationEssentials
import Logging
import Postgres
import ServiceLifecycle
import Synchronization

/// The presence of this process's sockets in rooms, and With Suhyeon's active sockets. Kept in memory, and in tables for
/// all replicas while this replica's heartbeat is recent: an open socket writes nothing, and those of a replica that has
/// died end with its heartbeat.
final class Presences: Service {
    let copy = UUID()
    private let database: PostgresClient
    private let logger: Logger
    private let store = PresenceStore()
    private let joined = RoomMembershipStore()
    private let writer: PresenceWriter
    private let local = Mutex<[UUID: Presence]>([:])
    /// The sockets that have moved to other replicas. Their rows are kept for these, which take them over.
    private let moved = Mutex<Set<UUID>>([])
    private let handleExpiry = Mutex<(@Sendable () -> Void)?>(nil)
    /// The replicas that hold sockets and had no heartbeat at the last look.
    private let unknown = Mutex<Set<UUID>>([])

    private static let pause = Duration.seconds(2)
    /// Heartbeats between two looks for unknown replicas.
    private static let lookEvery = 30

    init(database: PostgresClient, logger: Logger) {
        self.database = database
        self.logger = logger
        let copy = copy
        writer = PresenceWriter { try await PresenceStore().save($0, of: copy, takesOver: true, in: database) }
    }

    /// Writes the first heartbeat, so that sockets can come from other replicas.
    func prepare() async throws {
        _ = try await store.beat(copy, in: database)
    }

    /// Sets the callback for a heartbeat that came too late: the other replicas have taken this one for dead.
    func onExpiry(_ handle: @escaping @Sendable () -> Void) {
        handleExpiry.withLock { $0 = handle }
    }

    /// Records that a socket shows a room, and no other.
    func enter(_ presence: Presence) async {
        local.withLock { $0[presence.id] = presence }
        await quietly {
            try await self.writer.save(presence)
            self.database.announcer.announce([.presence(presence.room, of: presence.account, isPresent: true)])
        }
        await forgetIfLeft(presence)
    }

    /// The socket may have left before its row was inserted.
    private func forgetIfLeft(_ presence: Presence) async {
        guard local.withLock({ $0[presence.id] }) == nil, !moved.withLock({ $0.contains(presence.id) }) else { return }
        await forget(presence)
    }

    /// Records that a socket shows no room.
    func leave(_ socket: UUID) async {
        guard let presence = local.withLock({ $0.removeValue(forKey: socket) }) else { return }
        await forget(presence)
    }

    // MARK: Sockets that move

    /// Records that a socket moves to another replica, which calls `takeOver`. It still counts as present, until this
    /// replica has ended for `PresenceStore.timeout`.
    func handOver(_ socket: UUID) {
        moved.withLock { _ = $0.insert(socket) }
        local.withLock { $0[socket] = nil }
    }

    /// Records that a socket, which shows a room, has moved here. It is announced only if it does not count as present
    /// any more.
    ///
    /// - Throws: `PostgresError`; the presence is not recorded then.
    func takeOver(_ presence: Presence) async throws {
        moved.withLock { _ = $0.remove(presence.id) }
        local.withLock { $0[presence.id] = presence }
        do {
            let wasPresent = try await isPresent(presence.account, in: presence.room)
            do {
                try await writer.save(presence)
            } catch {
                // This replica may be unknown: new, or taken for dead.
                try await beat()
                try await writer.save(presence)
            }
            if !wasPresent {
                database.announcer.announce([.presence(presence.room, of: presence.account, isPresent: true)])
            }
        } catch {
            local.withLock { $0[presence.id] = nil }
            throw error
        }
        await forgetIfLeft(presence)
    }

    // MARK: State

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
            try await self.store.delete(presence.id, of: self.copy, in: self.database)
            // Another socket of the account still shows the room.
            if try await self.isPresent(presence.account, in: presence.room) { return }
            self.database.announcer.announce([.presence(presence.room, of: presence.account, isPresent: false)])
        }
    }

    /// Writes this replica's heartbeat and removes replicas without one.
    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            var beats = 0
            while !Task.isCancelled {
                await quietly { try await self.beat() }
                beats += 1
                if beats.isMultiple(of: Self.lookEvery) { await quietly { try await self.releaseUnknown() } }
                try? await Task.sleep(for: Self.pause)
            }
        }
        await quietly { try await self.end() }
    }

    /// Removes this replica, unless sockets move to others. Then its rows are needed until these have taken them over;
    /// those that are left are removed like those of a dead replica.
    private func end() async throws {
        let moved = moved.withLock(\.self)
        if moved.isEmpty {
            try await store.delete(copy: copy, in: database)
        } else {
            try await store.deletePresences(of: copy, except: moved, in: database)
        }
    }

    private func beat() async throws {
        if try await store.beat(copy, in: database) {
            try await store.save(Array(local.withLock { $0.values }), of: copy, takesOver: false, in: database)
            handleExpiry.withLock(\.self)?()
        }
        try await sweep()
    }

    /// Releases the sockets of dead replicas.
    private func sweep() async throws {
        try await database.transaction { transaction in
            let dead = try await store.lockDead(in: transaction)
            guard !dead.isEmpty else { return }
            let accounts = try await joined.release(dead, in: transaction)
            let lost = try await store.delete(copies: dead, in: transaction)
            let left = try await transaction.run(store.present(in: lost.map(\.room)))
            let gone = lost.filter { lost in
                !left.contains { $0.room == lost.room && $0.account == lost.account }
            }
            let notifications = gone.map { ChangeNotification.presence($0.room, of: $0.account, isPresent: false) }
            // Another socket of the account becomes the active one.
            transaction.announce(notifications + accounts.map(ChangeNotification.assignmentChanged) + [.replicaLost])
        }
    }

    /// Releases the sockets of replicas that were unknown before, too: after a crash of PostgreSQL, which empties the
    /// table of replicas, those that live have written a heartbeat meanwhile.
    func releaseUnknown() async throws {
        let found = try await joined.unknownCopies(in: database)
        let dead = unknown.withLock { unknown in
            defer { unknown = found }
            return found.intersection(unknown)
        }
        guard !dead.isEmpty else { return }
        try await database.transaction { transaction in
            let accounts = try await joined.release(Array(dead), in: transaction)
            transaction.announce(accounts.map(ChangeNotification.assignmentChanged))
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
