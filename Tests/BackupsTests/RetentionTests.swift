import FoundationEssentials
import Glibc
import TestKit
import Testing

@testable import Backups

@Suite(.timeLimit(.minutes(5))) struct RetentionTests {
    @Test func interruptedBackup_doesNotExistAndIsRemoved() async throws {
        try await BackupFixture.run { fixture in
            let first = try await fixture.backUp()
            let id = "20261125T000000000Z"
            try await fixture.place.put([1, 2, 3], as: "\(PlaceNames.backup(id))/\(BackupManifest.piece(0))")
            let catalogue = try await BackupCatalogue(of: fixture.place)
            #expect(catalogue.backups.map(\.id) == [first.id] && catalogue.unfinished == [id])
            try await fixture.backUp()
            #expect(try await BackupCatalogue(of: fixture.place).unfinished.isEmpty)
            #expect(try await fixture.place.names(below: PlaceNames.backup(id)).isEmpty)
        }
    }

    @Test func oldBackups_goWithTheirLogAndFiles() async throws {
        try await BackupFixture.run { fixture in
            let place = fixture.place
            func backup(_ day: Int, log number: Int, files: [String]) async throws {
                let ended = Date.now.addingTimeInterval(-Double(day) * 86_400)
                let manifest = BackupManifest(
                    id: BackupTime.name(ended),
                    history: "a",
                    began: ended,
                    ended: ended,
                    start: "0/\(number)000028",
                    timeline: 1,
                    size: 1,
                    pieces: [],
                    password: ""
                )
                let list = Array(files.joined(separator: "\n").utf8)
                try await place.put(list, as: "\(manifest.folder)/\(BackupManifest.filesName)")
                try await place.put(BackupCatalogue.encode(manifest), as: "\(manifest.folder)/\(BackupManifest.name)")
                for file in files { try await place.put([1], as: "\(PlaceNames.files)/\(file)") }
            }
            for number: UInt64 in 1...9 {
                try await place.put([1], as: "\(PlaceNames.log("a"))/\(LogName.segment(timeline: 1, number: number))")
            }
            try await place.put([1], as: "\(PlaceNames.log("b"))/\(LogName.segment(timeline: 1, number: 99))")
            try await backup(20, log: 2, files: ["chat/aa/1", "chat/aa/2"])
            try await backup(9, log: 4, files: ["chat/aa/2", "chat/aa/3"])
            try await backup(3, log: 6, files: ["chat/aa/3"])
            try await backup(1, log: 8, files: ["chat/aa/4"])
            let files = FileArchive(folder: fixture.files, place: place)
            try await Retention(place: place, days: 7).prune(files: files)

            let kept = try await BackupCatalogue(of: place).backups
            #expect(kept.map(\.start) == ["0/4000028", "0/6000028", "0/8000028"], "any second of seven days is kept")
            let log = try await place.names(below: PlaceNames.logs)
            #expect(log == (UInt64(4)...9).map { "wal/a/\(LogName.segment(timeline: 1, number: $0))" })
            #expect(try await place.names(below: PlaceNames.files) == ["2", "3", "4"].map { "files/chat/aa/\($0)" })

            try await Retention(place: place, days: 7).prune(files: files, now: .now.addingTimeInterval(1e8))
            #expect(try await BackupCatalogue(of: place).backups.map(\.start) == ["0/8000028"], "one is always kept")
        }
    }

    @Test func files_areCopiedOnceAndKeptForBackups() async throws {
        try await BackupFixture.run { fixture in
            let archive = FileArchive(folder: fixture.files, place: fixture.place)
            try fixture.write(file: "chat/ab/1", "one")
            try fixture.write(file: "chat/incoming/2", "unfinished")
            try await archive.copy()
            #expect(try await fixture.place.names(below: PlaceNames.files) == ["files/chat/ab/1"])
            try fixture.write(file: "chat/ab/3", "three")
            try await archive.copy()
            try FileManager.default.removeItem(atPath: "\(fixture.files)/chat/ab/1")
            // It was stored and deleted before the backup, and a time in between can be restored.
            try await fixture.backUp()
            #expect(try await fixture.place.names(below: PlaceNames.files).count == 2)
            try await fixture.backUp()
            #expect(try await fixture.place.names(below: PlaceNames.files).count == 2)
            #expect(try await FileArchive(folder: fixture.files, place: fixture.place).restore() == 1)
            #expect(try fixture.text(ofFile: "chat/ab/1") == "one")
        }
    }

    @Test func place_isReadableByItsOwnerOnly() async throws {
        try await BackupFixture.run { fixture in
            try await fixture.backUp()
            let paths = try FileManager.default.subpathsOfDirectory(atPath: "\(fixture.root)/place")
            #expect(paths.count > 3)
            for path in [""] + paths {
                var status = stat()
                #expect(stat("\(fixture.root)/place/\(path)", &status) == 0)
                #expect(status.st_mode & 0o077 == 0, "\(path)")
            }
        }
    }
}
