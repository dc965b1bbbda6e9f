import Contracts
import FoundationEssentials
import Postgres
import ServiceLifecycle
import TestKit
import Testing

@testable import Chat

/// Presences of sockets that move between replicas.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct PresencesTests {
    /// A replica with a heartbeat.
    private struct Replica {
        let presences = Presences(database: TestDatabase.current.client, logger: .quiet)
        private let group: ServiceGroup
        private let running: Task<Void, any Error>

        init() async throws {
            let group = ServiceGroup(services: [presences], logger: .quiet)
            self.group = group
            running = Task { try await group.run() }
            let copy = presences.copy
            try await eventually("the replica has a heartbeat") {
                try await TestDatabase.current.client.one("SELECT count(*) FROM copies WHERE id = \(copy)") {
                    try $0.decode(Int.self)
                } == 1
            }
        }

        func end() async throws {
            await group.triggerGracefulShutdown()
            try await running.value
        }
    }

    private let presence = Presence(id: UUID(), account: 1, room: 7, isReading: true)

    /// The replica that has the presence.
    private func owner() async throws -> UUID? {
        try await TestDatabase.current.client.optional("SELECT copy_id FROM presences WHERE id = \(presence.id)") {
            try $0.decode(UUID.self)
        }
    }

    /// Makes the heartbeats of ended replicas old, and waits until another one has removed them.
    private func removeDead(except living: Replica) async throws {
        let (database, copy) = (TestDatabase.current.client, living.presences.copy)
        try await database.execute("UPDATE copies SET seen_at = now() - interval '1 minute' WHERE id <> \(copy)")
        try await eventually("no dead replica is left") {
            try await database.one("SELECT count(*) FROM copies") { try $0.decode(Int.self) } == 1
        }
    }

    @Test func movedSocket_isPresentAllTheTime() async throws {
        let (old, new) = (try await Replica(), try await Replica())
        await old.presences.enter(presence)
        let other = Presence(id: UUID(), account: 2, room: 7, isReading: true)
        await old.presences.enter(other)
        old.presences.handOver(presence.id)
        // The close of the connection and the end of the replica take nothing from the new one.
        await old.presences.leave(presence.id)
        try await old.end()
        #expect(try await new.presences.isPresent(1, in: 7))
        #expect(try await !new.presences.isPresent(2, in: 7))
        try await new.presences.takeOver(presence)
        #expect(try await owner() == new.presences.copy)
        try await removeDead(except: new)
        #expect(try await new.presences.isPresent(1, in: 7))
        await new.presences.leave(presence.id)
        #expect(try await owner() == nil)
        try await new.end()
    }

    @Test func socketTakenOverEarly_isKeptByEndOfReplica() async throws {
        let (old, new) = (try await Replica(), try await Replica())
        await old.presences.enter(presence)
        // The new replica may be faster than the old one.
        try await new.presences.takeOver(presence)
        await old.presences.leave(presence.id)
        #expect(try await owner() == new.presences.copy)
        try await old.end()
        #expect(try await owner() == new.presences.copy)
        try await new.end()
        #expect(try await owner() == nil)
    }

    @Test func socketTakenOverByNone_endsWithItsReplica() async throws {
        let (old, other) = (try await Replica(), try await Replica())
        await old.presences.enter(presence)
        old.presences.handOver(presence.id)
        try await old.end()
        try await removeDead(except: other)
        #expect(try await owner() == nil)
        try await other.end()
    }
}
