import FoundationEssentials
import Glibc
import Postgres
import PostgresServer
import StackKit
import TestKit
import Testing

@testable import Backups

/// What cannot be backed up or restored is refused, and nothing is changed.
@Suite(.timeLimit(.minutes(5))) struct BackupRefusalTests {
    /// The sentence by which an operation is refused.
    private func refusal(_ body: () async throws -> Void) async -> String {
        do {
            try await body()
            return "nothing was refused"
        } catch {
            return "\(error)"
        }
    }

    @Test func placeThatCannotBeWritten_isRefused() async throws {
        try await BackupFixture.run { fixture in
            // Also root cannot create a folder here.
            let place = FolderPlace(path: "/proc/backups")
            let error = await refusal { try await place.check() }
            #expect(
                error.hasPrefix("cannot write /proc/backups")
                    && error.hasSuffix("choose a folder that this user can write")
            )
            let backup = BaseBackup(source: try BackupSource(fixture.server), place: place) { _ in }
            let files = FileArchive(folder: fixture.files, place: place)
            let refused = await refusal { _ = try await backup.take(files: files, keep: 7) }
            #expect(refused.hasPrefix("cannot write /proc/backups"), "\(refused)")
        }
    }

    @Test func targets_areCheckedBeforeAnythingIsChanged() async throws {
        try await BackupFixture.run { fixture in
            try await fixture.archiving {
                try await fixture.untilArchived()
                try await fixture.insert([1])
            }
            let running = await refusal { try await fixture.restore() }
            #expect(running == "Madang is running; stop it first: stack down")
            try await fixture.server.stop()

            let backup = try #require(try await BackupCatalogue(of: fixture.place).backups.first)
            let early = await refusal { try await fixture.restore(to: backup.ended.addingTimeInterval(-1)) }
            #expect(
                early.hasPrefix("the first backup in \(fixture.root)/place ended at \(BackupTime.text(backup.ended))")
            )
            #expect(early.hasSuffix("choose a later time"))
            let future = await refusal { try await fixture.restore(to: .now.addingTimeInterval(3600)) }
            #expect(future.hasSuffix("has not been; choose an earlier time"), "\(future)")
            try await eventually("a moment after the archive has been") {
                Date.now > backup.ended.addingTimeInterval(2)
            }
            let late = await refusal { try await fixture.restore(to: .now) }
            #expect(late.contains("ends at") && late.hasSuffix("or leave out --to"), "\(late)")

            let empty = Restore(
                place: FolderPlace(path: "\(fixture.root)/nowhere"),
                server: fixture.server,
                files: fixture.files
            ) { _ in }
            let nowhere = await refusal { _ = try await empty.run(to: nil, in: fixture.folder) }
            #expect(nowhere.hasPrefix("\(fixture.root)/nowhere has no backup"), "\(nowhere)")

            let names = try FileManager.default.contentsOfDirectory(atPath: fixture.root).sorted()
            #expect(names == ["local", "place", "postgres"])
            try await fixture.server.start(detached: false)
            #expect(try await fixture.ids() == [1])
        }
    }

    @Test func damagedBackup_isNoticed() async throws {
        try await BackupFixture.run { fixture in
            let backup = try await fixture.backUp()
            try await fixture.server.stop()
            let piece = "\(backup.folder)/\(BackupManifest.piece(0))"
            var bytes = try #require(try await fixture.place.get(piece))
            bytes[bytes.count / 2] ^= 1
            try await fixture.place.put(bytes, as: piece)
            let error = await refusal { try await fixture.restore() }
            #expect(error.contains("\(piece) in \(fixture.root)/place is damaged"), "\(error)")
            #expect(access("\(fixture.server.directory).restoring", F_OK) != 0)
            try await fixture.server.start(detached: false)
            #expect(try await fixture.ids() == [])
        }
    }

    @Test func missingLog_isNoticed() async throws {
        try await BackupFixture.run { fixture in
            try await fixture.archiving {
                try await fixture.untilArchived()
                for id in 1...3 {
                    try await fixture.insert([id])
                    try await fixture.withClient { _ = try await $0.execute("SELECT pg_switch_wal()") }
                }
            }
            try await fixture.server.stop()
            let history = try #require(try await BackupCatalogue(of: fixture.place).backups.first?.history)
            let log = try await ArchivedLog(of: history, in: fixture.place)
            let missing = log.segments[log.segments.count - 2]
            try await fixture.place.delete("\(PlaceNames.log(history))/\(missing)")
            let error = await refusal { try await fixture.restore() }
            #expect(error.hasPrefix("the write-ahead log after") && error.contains("is missing"), "\(error)")
        }
    }

    @Test func placeOfAnotherDatabase_isRefused() async throws {
        try await BackupFixture.run { fixture in
            try await fixture.place.claim(for: "another")
            let error = await refusal { try await fixture.backUp() }
            #expect(error.hasPrefix("\(fixture.root)/place has the backups of another database"), "\(error)")
            #expect(try await BackupCatalogue(of: fixture.place).backups.isEmpty)
        }
    }

    @Test func stoppedServer_isNotBackedUp() async throws {
        let server = try PostgresServer(directory: "/tmp/backups-tests-none")
        let error = #expect(throws: StackError.self) { try BackupSource(server) }
        #expect(error?.description == "the database in /tmp/backups-tests-none does not run; start it: stack up")
    }

    @Test(arguments: [
        (["BACKUP_TO": "backups"], "BACKUP_TO is \"backups\"; it is an absolute folder"),
        (["BACKUP_TO": "https://s3.example.com"], "BACKUP_TO is \"https://s3.example.com\"; it is"),
        (
            ["BACKUP_TO": "https://s3.example.com/b"],
            "BACKUP_TO is a bucket; set its access key as well: BACKUP_S3_KEY_ID"
        ),
        (["BACKUP_TO": "/b", "BACKUP_KEEP": "0"], "BACKUP_KEEP is \"0\""),
        (["BACKUP_TO": "/b", "BACKUP_KEEP": "week"], "BACKUP_KEEP is \"week\""),
    ])
    func settings_areChecked(environment: [String: String], expected: String) {
        let error = #expect(throws: StackError.self) { try BackupSettings(environment: environment) }
        #expect(error?.description.hasPrefix(expected) == true)
    }

    @Test func placeThatIsNotSet_isNamed() throws {
        let settings = try BackupSettings(environment: [:])
        #expect(settings.place == nil && settings.days == 7)
        let error = #expect(throws: StackError.self) { try settings.place(named: nil, [:]) }
        #expect(error?.description.contains("BACKUP_TO=/var/backups/madang") == true)
    }
}
