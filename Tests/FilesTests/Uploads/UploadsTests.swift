import Postgres
import TestKit
import Testing

@testable import Files

@Suite(.database(UploadsWorld.migrations), .timeLimit(.minutes(1)), .uploads) struct UploadsTests {
    private var world: UploadsWorld { .current }

    @Test func uploads_areServedInOrder() async throws {
        let names = try await world.send(Picture.jpeg(), Picture.png(), Picture.jpeg(size: 700))
        #expect(names.map { $0.split(separator: ".").last } == ["jpg", "png", "jpg"])
        #expect(names.allSatisfy(Upload.isName))
        #expect(try await world.bytes(names[0]) == Picture.jpeg())
        #expect(try await world.bytes(names[1]) == Picture.png())
        #expect(try await world.bytes(names[2]) == Picture.jpeg(size: 700))
        for name in ["", "x", "\0", "\(names[0])\0", "../\(names[0])"] {
            #expect(try await world.bytes(name) == nil, "\(name)")
        }
    }

    @Test func unreferencedUpload_isDeletedAfterOneDay() async throws {
        let names = try await world.send(Picture.jpeg(), Picture.png())
        #expect(try await world.refer(to: names[0]) == [names[0]])
        try await world.age("23 hours 59 minutes")
        try await world.collect()
        #expect(try await world.bytes(names[1]) != nil)
        try await world.age("2 minutes")
        #expect(try await world.bytes(names[1]) == nil)
        #expect(try await world.refer(to: names[0], names[1]) == [names[0]])
        #expect(world.files.count == 2)
        try await world.collect()
        #expect(world.files.count == 1)
        #expect(try await world.bytes(names[0]) != nil)
    }

    @Test func uploadOfOtherAccount_cannotBeReferenced() async throws {
        let names = try await world.send(Picture.jpeg(), by: 1)
        #expect(try await world.refer(to: names[0], by: 2) == [])
        #expect(try await world.refer(by: 2) == [])
        try await world.age("2 days")
        #expect(try await world.bytes(names[0]) == nil)
    }

    @Test func expireAll_keepsExceptions() async throws {
        let mine = try await world.send(Picture.jpeg(), Picture.png(), Picture.jpeg(size: 700))
        let theirs = try await world.send(Picture.jpeg(size: 800), by: 2)
        _ = try await world.refer(to: mine[0], mine[1])
        try await world.expire(except: [mine[1]])
        try await world.collect()
        for (name, stays) in [(mine[0], false), (mine[1], true), (mine[2], false), (theirs[0], true)] {
            let isThere = try await world.bytes(name) != nil
            #expect(isThere == stays)
        }
        #expect(world.files.count == 2)
    }

    @Test func sharedFile_isKeptWhileReferenced() async throws {
        let names = try await world.send(Picture.jpeg(), Picture.jpeg())
        let theirs = try await world.send(Picture.jpeg(), by: 2)
        #expect(Set(names + theirs).count == 3)
        #expect(world.files.count == 1)
        try await world.expire(except: [names[1]])
        try await world.collect()
        #expect(try await world.bytes(names[1]) == Picture.jpeg())
        try await world.expire()
        try await world.collect()
        #expect(try await world.bytes(theirs[0]) == Picture.jpeg())
        try await world.expire(of: 2)
        try await world.collect()
        #expect(world.files.isEmpty)
    }

    @Test func pendingUploads_areLimitedToNewest() async throws {
        let first = try await world.send(Picture.jpeg(), Picture.png())
        let second = try await world.send(Picture.jpeg(), Picture.jpeg(), Picture.jpeg(), by: 2)
        let third = try await world.send(Picture.jpeg(), Picture.png(), Picture.jpeg(), Picture.jpeg())
        for name in first + second + third { #expect(try await world.bytes(name) != nil) }
        _ = try await world.send(Picture.jpeg(), Picture.png())
        for name in first { #expect(try await world.bytes(name) == nil) }
        for name in second + third { #expect(try await world.bytes(name) != nil) }
    }

    @Test func refusedAdmission_leavesNoFiles() async throws {
        struct Interruption: Error {}
        let form = try await world.form(MultipartForm().file("files", Picture.jpeg()).file("files", Picture.png()))
        #expect(world.files.count == 2)
        await #expect(throws: Interruption.self) {
            _ = try await world.uploads.keep(form.files, by: 1) { _ in throw Interruption() }
        }
        #expect(world.files.isEmpty)
        #expect(try await world.rows() == 0)
    }

    @Test func concurrentUploadAndCollection_keepSharedFile() async throws {
        for round in 0..<20 {
            _ = try await world.send(Picture.jpeg(), Picture.png())
            try await world.expire()
            async let collected: Void = world.collect()
            async let other: Void = world.collect()
            async let again = world.send(Picture.png(), Picture.jpeg(), by: 2)
            async let more = world.send(Picture.jpeg(), Picture.png(), by: 3)
            for name in try await again + more { #expect(try await world.bytes(name) != nil, "\(round)") }
            _ = try await (collected, other)
        }
    }

    @Test func concurrentReferenceAndCollection_agree() async throws {
        for round in 0..<20 {
            let names = try await world.send(Picture.jpeg())
            // The upload expires during the race.
            try await world.database.execute(
                "UPDATE uploads SET expires_at = clock_timestamp() + interval '3 milliseconds' WHERE name = \(names[0])"
            )
            async let collected: Void = world.collect()
            try await Task.sleep(for: .milliseconds(round % 6))
            let isReferred = try await world.refer(to: names[0]) == [names[0]]
            try await collected
            try await world.collect()
            let isThere = try await world.bytes(names[0]) != nil
            #expect(isThere == isReferred, "\(round)")
        }
    }
}
