import FoundationEssentials
import Logging
import Postgres
import ServiceLifecycle
import Synchronization

/// Which sockets of this process look into which rooms, told to all copies: kept here, and in a table for as long as this
/// copy says that it lives.
final class Presences: Service {
    let copy = UUID()
    private let database: PostgresClient
    private let logger: Logger
    private let store = PresenceStore()
    private let live = LiveStore()
    private let here = Mutex<[UUID: Presence]>([:])

    private static let pause = Duration.seconds(2)

    init(database: PostgresClient, logger: Logger) {
        self.database = database
        self.logger = logger
    }

    /// A socket looks into a room from now on, and into no other.
    func enter(_ presence: Presence) async {
        here.withLock { $0[presence.id] = presence }
        await quietly {
            try await self.store.save([presence], of: self.copy, in: self.database)
            _ = try await self.database.run(
                self.live.announce([.present(presence.room, presence.account, true)])
            )
        }
        // It may have left meanwhile, before there was a row to delete.
        if here.withLock({ $0[presence.id] }) == nil { await forget(presence) }
    }

    /// A socket looks nowhere any more.
    func leave(_ socket: UUID) async {
        guard let presence = here.withLock({ $0.removeValue(forKey: socket) }) else { return }
        await forget(presence)
    }

    /// Whether a socket of somebody, of whatever copy, looks into a room.
    func isThere(_ account: Int64, in room: Int64) async throws -> Bool {
        try await database.run(store.present(in: [room])).contains { $0.account == account }
    }

    private func forget(_ presence: Presence) async {
        await quietly {
            try await self.store.delete(presence.id, in: self.database)
            // Who has another socket there is still there.
            if try await self.isThere(presence.account, in: presence.room) { return }
            _ = try await self.database.run(
                self.live.announce([.present(presence.room, presence.account, false)])
            )
        }
    }

    /// Says that this copy lives, and forgets those that do not.
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
            try await store.save(Array(here.withLock { $0.values }), of: copy, in: database)
        }
        try await database.transaction { transaction in
            let lost = try await store.sweep(in: transaction)
            guard !lost.isEmpty else { return }
            let left = try await transaction.run(store.present(in: lost.map(\.room)))
            let gone = lost.filter { lost in
                !left.contains { $0.room == lost.room && $0.account == lost.account }
            }
            _ = try await transaction.run(live.announce(gone.map { .present($0.room, $0.account, false) }))
        }
    }

    /// Presence is worth no error: who is taken for absent gets a push too many.
    private func quietly(_ body: @escaping @Sendable () async throws -> Void) async {
        do {
            try await body()
        } catch {
            if !Task.isCancelled { logger.warning("presence could not be kept", error: error) }
        }
    }
}
