import FoundationEssentials
import Postgres
import PostgresServer
import StackKit
import Synchronization
import TestKit
import Testing

@testable import Backups

/// The disk of a server is lost while it is written; what was acknowledged is restored.
@Suite(.timeLimit(.minutes(5))) struct RestoreDrillTests {
    /// Writers with gapless numbers of their own: what was acknowledged, and when.
    private final class Load: Sendable {
        struct Entry: Sendable {
            var id: Int64
            var at: Date
        }

        private let acknowledged = Mutex<[Entry]>([])
        private let attempted = Mutex<Set<Int64>>([])

        var entries: [Entry] { acknowledged.withLock { $0 } }
        var attempts: Set<Int64> { attempted.withLock { $0 } }

        /// Writes until the server is gone.
        func run(_ fixture: BackupFixture, writers: Int64) async {
            try? await fixture.withClient { client in
                await withDiscardingTaskGroup { group in
                    for writer in 0..<writers {
                        group.addTask { await self.write(as: writer, client) }
                    }
                }
            }
        }

        private func write(as writer: Int64, _ client: PostgresClient) async {
            for number in Int64(1)... {
                let id = writer * 1_000_000 + number
                attempted.withLock { _ = $0.insert(id) }
                do {
                    try await client.transaction { transaction in
                        try await transaction.execute("INSERT INTO entries (id, writer) VALUES (\(id), \(writer))")
                    }
                } catch {
                    return
                }
                acknowledged.withLock { $0.append(Entry(id: id, at: .now)) }
            }
        }
    }

    @Test func lostDisk_losesNothingThatWasArchived() async throws {
        try await BackupFixture.run { fixture in
            let load = Load()
            var moment: Date?
            try await fixture.archiving {
                try await fixture.untilArchived()
                let writing = Task { await load.run(fixture, writers: 4) }
                try await eventually("something is written") { load.entries.count > 200 }
                // Times are restored to the millisecond.
                let middle = try await BackupTime.roundedUp(fixture.now())
                moment = middle
                try fixture.write(file: "estate/ab/cdef", "picture")
                try await fixture.untilArchived(after: middle.addingTimeInterval(2))
                let count = load.entries.count
                try await eventually("more is written") { load.entries.count > count + 200 }
                try await fixture.loseDisk()
                await writing.value
            }
            let until = try #require(fixture.state?.until)
            let middle = try #require(moment)
            try FileManager.default.removeItem(atPath: fixture.files)

            try await fixture.restore()
            try await fixture.server.start(detached: false)
            let restored = Set(try await fixture.ids())
            let missing = load.entries.filter { $0.at < until && !restored.contains($0.id) }
            #expect(missing.isEmpty, "acknowledged before \(until), and lost: \(missing.prefix(10))")
            #expect(restored.isSubset(of: load.attempts))
            #expect(restored.count > 400)
            #expect(try fixture.text(ofFile: "estate/ab/cdef") == "picture")
            try await fixture.insert([-1])
            try await fixture.server.stop()

            let outcome = try await fixture.restore(to: middle)
            #expect(outcome.moment == middle)
            let former = try #require(outcome.former)
            #expect(FileManager.default.fileExists(atPath: "\(former)/data/PG_VERSION"))
            try await fixture.server.start(detached: false)
            let earlier = Set(try await fixture.ids())
            let before = load.entries.filter { $0.at < middle && !earlier.contains($0.id) }
            #expect(before.isEmpty, "acknowledged before \(middle), and lost: \(before.prefix(10))")
            #expect(earlier.isSubset(of: restored) && earlier.count < restored.count)
            // A writer has one write on its way at most, which may have been committed before its acknowledgement.
            let after = Set(load.entries.filter { $0.at > middle }.map(\.id)).intersection(earlier)
            #expect(after.count <= 4)
        }
    }

    @Test func restoredServer_isArchivedInHistoryOfItsOwn() async throws {
        try await BackupFixture.run { fixture in
            try await fixture.archiving {
                try await fixture.untilArchived()
                try await fixture.insert(1...3)
            }
            let first = try await BackupCatalogue(of: fixture.place).backups
            let middle = try await fixture.now()
            try await fixture.loseDisk()
            try await fixture.restore()
            try await fixture.server.start(detached: false)
            #expect(try await fixture.ids() == [1, 2, 3])
            try await fixture.archiving {
                try await fixture.untilArchived(besides: first.count)
                try await fixture.insert(4...5)
            }
            let backups = try await BackupCatalogue(of: fixture.place).backups
            #expect(backups.count == 2 && Set(backups.map(\.history)).count == 2)
            #expect(backups.map(\.timeline) == [1, 2])

            try await fixture.server.stop()
            try await fixture.restore()
            try await fixture.server.start(detached: false)
            #expect(try await fixture.ids() == [1, 2, 3, 4, 5])
            try await fixture.server.stop()
            // Between the loss and the second history nothing happened that could be restored.
            let error = await #expect(throws: StackError.self) { try await fixture.restore(to: middle) }
            #expect(error?.description.contains("ends at") == true, "\(String(describing: error))")
            try await fixture.restore(to: first[0].ended)
            try await fixture.server.start(detached: false)
            #expect(try await fixture.ids() == [])
        }
    }

    /// A base backup taken while nothing is archived has the state of its end.
    @Test func backupWithoutArchive_isRestored() async throws {
        try await BackupFixture.run { fixture in
            try await fixture.insert(1...100)
            try await fixture.backUp()
            try await fixture.insert(101...200)
            try await fixture.server.stop()
            try await fixture.restore()
            try await fixture.server.start(detached: false)
            #expect(try await fixture.ids() == Array(1...100))
        }
    }

    @Test func archive_goesOnWhereItStopped() async throws {
        try await BackupFixture.run { fixture in
            try await fixture.archiving { try await fixture.untilArchived() }
            try await fixture.insert(1...10)
            try await fixture.server.kill()
            try await fixture.server.start(detached: false)
            try await fixture.archiving { try await fixture.untilArchived(after: .now) }
            #expect(try await BackupCatalogue(of: fixture.place).backups.count == 1)
            try await fixture.loseDisk()
            try await fixture.restore()
            try await fixture.server.start(detached: false)
            #expect(try await fixture.ids() == Array(1...10))
        }
    }
}
