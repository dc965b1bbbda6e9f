import Files
import FoundationEssentials
import HummingbirdTesting
import Postgres
import PostgresServer
import StackKit
import TestKit
import Testing

@testable import Backups
@testable import Sandbox

/// Backups in the sandbox's object store.
@Suite(.timeLimit(.minutes(5))) struct S3PlaceTests {
    private func withPlace(
        bucket: String = "madang",
        key: S3Key = .development,
        _ body: @escaping @Sendable (S3Place, _ sandbox: any TestClientProtocol) async throws -> Void
    ) async throws {
        var settings = SandboxConfiguration()
        settings.port = 0
        try await buildSandbox(settings, logger: .quiet).test(.live) { sandbox in
            let url = "http://127.0.0.1:\(sandbox.port ?? 0)/s3/\(bucket)"
            try await body(S3Place(bucket: S3Bucket(url: url, prefix: "", region: "kr-standard", key: key)), sandbox)
        }
    }

    @Test func objects_areWrittenListedAndDeleted() async throws {
        try await withPlace { place, _ in
            try await place.check()
            // More than a page of the list.
            let names = (1000..<2101).map { "wal/a/\($0).partial/0" }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 0..<8 {
                    group.addTask {
                        for index in stride(from: part, to: names.count, by: 8) {
                            try await place.put(Array(names[index].utf8), as: names[index])
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await place.put([1], as: "walls/1")
            #expect(try await place.names(below: "wal") == names)
            #expect(try await place.names(below: "check").isEmpty)
            #expect(try await place.get(names[1050]) == Array(names[1050].utf8))
            try await place.put([], as: names[1050])
            #expect(try await place.get(names[1050])?.isEmpty == true)
            try await place.delete(names[1050])
            try await place.delete(names[1050])
            #expect(try await place.get(names[1050]) == nil)
            #expect(try await place.names(below: "wal").count == names.count - 1)
        }
    }

    @Test func wrongKey_isNamed() async throws {
        try await withPlace(key: S3Key(id: S3Key.development.id, secret: "another")) { place, _ in
            let error = await #expect(throws: StackError.self) { try await place.check() }
            #expect(
                error?.description.contains("refuses PUT with 403 SignatureDoesNotMatch; check BACKUP_S3_KEY_ID")
                    == true
            )
        }
    }

    @Test func missingBucket_isNamed() async throws {
        try await withPlace(bucket: "another") { place, _ in
            for call in [{ try await place.check() }, { _ = try await BackupCatalogue(of: place) }] {
                let error = await #expect(throws: StackError.self) { try await call() }
                #expect(
                    error?.description == "there is no bucket \(place.description); create it, or correct BACKUP_TO"
                )
            }
        }
    }

    @Test func storeThatDoesNotRun_isNamed() async throws {
        let bucket = S3Bucket(url: "http://127.0.0.1:9/backups", prefix: "", region: "us-east-1", key: .development)
        let error = await #expect(throws: StackError.self) { try await S3Place(bucket: bucket).check() }
        #expect(error?.description.hasPrefix("http://127.0.0.1:9/backups does not respond: ") == true)
    }

    @Test func lostDisk_isRestoredFromBucket() async throws {
        try await withPlace { place, sandbox in
            try await BackupFixture.run(place: place) { fixture in
                try await fixture.archiving {
                    try await fixture.untilArchived()
                    try fixture.write(file: "chat/ab/cdef", "picture")
                    try await fixture.insert(1...50)
                    // A segment becomes complete, and the next one begins.
                    _ = try await fixture.withClient { try await $0.execute("SELECT pg_switch_wal()") }
                    try await fixture.insert(51...100)
                    try await fixture.untilArchived(after: fixture.now())
                }
                let middle = try await fixture.now()
                try await fixture.archiving {
                    try await fixture.untilArchived(after: fixture.now())
                    try await sandbox.fail("s3", #""kind":"http","status":503,"count":1000000"#)
                    try await fixture.insert(101...150)
                    let away = try await fixture.now()
                    try await eventually("the problem is known") { fixture.state?.problem != nil }
                    #expect(try #require(fixture.state?.until) < away)
                    try await fixture.insert(151...160)
                    try await sandbox.fail("s3", #""kind":"http","status":503,"count":0"#)
                    try await fixture.untilArchived(after: fixture.now())
                    #expect(fixture.state?.problem == nil)
                }
                let log = try await place.names(below: PlaceNames.logs).filter { $0.contains(LogName.partial) }
                #expect(!log.isEmpty && Set(log.compactMap { $0.split(separator: ".").first }).count == 1)
                try await fixture.loseDisk()
                try FileManager.default.removeItem(atPath: fixture.files)
                // What waits to be uploaded is lost as well.
                try FileManager.default.removeItem(atPath: fixture.folder.path)
                try await fixture.restore()
                try await fixture.server.start(detached: false)
                #expect(try await fixture.ids() == Array(1...160))
                #expect(try fixture.text(ofFile: "chat/ab/cdef") == "picture")

                // The restored server goes on in a timeline of its own.
                try fixture.folder.prepare()
                try await fixture.archiving {
                    try await fixture.untilArchived(besides: 1)
                    try await fixture.insert([161])
                    try await fixture.untilArchived(after: fixture.now())
                }
                #expect(try await place.names(below: PlaceNames.logs).contains { $0.hasSuffix("/00000002.history") })
                try await fixture.loseDisk()
                try await fixture.restore()
                try await fixture.server.start(detached: false)
                #expect(try await fixture.ids() == Array(1...161))
                try await fixture.server.stop()
                try await fixture.restore(to: middle)
                try await fixture.server.start(detached: false)
                #expect(try await fixture.ids() == Array(1...100))
            }
        }
    }

    /// The parts of a segment that is written for long stay few.
    @Test func partsOfSegment_areFew() async throws {
        try await withPlace { place, _ in
            let spool = "/tmp/backups-tests-\(UUID().uuidString.prefix(8))"
            defer { try? FileManager.default.removeItem(atPath: spool) }
            let history = LogHistory(name: "a")
            let segment = LogName.segment(timeline: 1, number: 3)
            let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7 % 251) }
            var received = content + [UInt8](repeating: 0, count: LogName.bytes - content.count)
            func write(_ name: String) throws {
                try LocalFiles.write(received, to: "\(spool)/a/\(name)", permissions: 0o600)
            }
            func upload(_ log: LogArchive, upTo end: Int) async throws {
                try await log.upload(upTo: Int64(3 * LogName.bytes + end))
            }
            func stored() async throws -> [UInt8] {
                let log = try await ArchivedLog(of: "a", in: place)
                #expect(log.segments == [segment])
                return try await log.bytes(of: segment)
            }
            try write("\(segment).partial")
            let first = try LogArchive(history: history, place: place, spool: spool)
            for end in stride(from: 1, through: 150_000, by: 1_000) { try await upload(first, upTo: end) }
            #expect(try await place.names(below: PlaceNames.logs).count == 3)
            #expect(Array(try await stored().prefix(149_001)) == Array(content.prefix(149_001)))
            #expect(try await stored().dropFirst(149_001).allSatisfy { $0 == 0 }, "what may be half written is left")
            // Another process receives the segment from its beginning, and knows nothing of the parts.
            let second = try LogArchive(history: history, place: place, spool: spool)
            try await upload(second, upTo: 10)
            #expect(Array(try await stored().prefix(149_001)) == Array(content.prefix(149_001)))
            try await upload(second, upTo: 200_000)
            #expect(try await stored() == received)
            received[LogName.bytes - 1] = 1
            try write(segment)
            try FileManager.default.removeItem(atPath: "\(spool)/a/\(segment).partial")
            try await upload(second, upTo: LogName.bytes)
            #expect(try await place.names(below: PlaceNames.logs) == ["wal/a/\(segment)"])
            #expect(try await stored() == received)
            #expect(try LocalFiles.names(below: spool).isEmpty)
        }
    }
}
