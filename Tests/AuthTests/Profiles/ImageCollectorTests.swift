import Contracts
import Events
import Files
import FoundationEssentials
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct ImageCollectorTests {
    /// Profile images in a temporary folder, with two accounts.
    private struct Gallery {
        var images: ProfileImages
        var profiles: Profiles
        var folder: String

        var files: [String] {
            let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
            return paths.filter { $0.split(separator: "/").last?.count ?? 0 > 20 }
        }

        func upload(_ picture: [UInt8], by account: AccountID) async throws -> String {
            let rules = try #require(images.rules(.anlaka))
            let file = try await images.uploads.receive(Once(bytes: ByteBuffer(bytes: picture)), rules)
            return try await images.keep(file, by: account, app: .anlaka)
        }

        func show(_ path: String, of account: AccountID) async throws {
            var edit = ProfileEdit()
            edit.image = path
            _ = try await profiles.update(account, app: .anlaka, edit)
        }

        /// Whether a picture is served.
        func serves(_ path: String) async throws -> Bool {
            do {
                let name = path.split(separator: "/").last.map(String.init) ?? ""
                return try await images.open(name, app: .anlaka).file.size > 0
            } catch AccountError.imageGone {
                return false
            }
        }

        func collect() async throws {
            while try await images.uploads.collectNext() {}
        }
    }

    private func withGallery(
        store: (LocalFileStore) -> any FileStore = { $0 },
        _ body: (Gallery) async throws -> Void
    ) async throws {
        let client = TestDatabase.current.client
        try await client.execute(
            """
            INSERT INTO accounts (public_id, app, nickname)
            SELECT repeat(n::text, 24), 'anlaka', 'n' FROM generate_series(1, 2) n
            """
        )
        let files = FilesConfiguration.temporary
        let rules: @Sendable (App) -> UploadRules? = { UploadRules(profilesOf: $0, publicURL: "") }
        let intake = files.intake
        try await intake.prepare()
        let gallery = Gallery(
            images: ProfileImages(
                database: client,
                intake: intake,
                files: store(LocalFileStore(folder: files.folder)),
                rules: rules
            ),
            profiles: Profiles(database: client, outbox: Outbox(subscribers: []), imageRules: rules),
            folder: files.folder
        )
        defer { try? FileManager.default.removeItem(atPath: files.folder) }
        try await body(gallery)
    }

    private func age(_ interval: String) async throws {
        try await TestDatabase.current.client.execute(
            "UPDATE uploads SET expires_at = expires_at - \(interval)::text::interval"
        )
    }

    @Test func unusedUpload_isDeletedAfterOneDay() async throws {
        try await withGallery { gallery in
            let (kept, left) = (
                try await gallery.upload(Picture.jpeg(), by: 1), try await gallery.upload(Picture.png(), by: 1)
            )
            try await gallery.show(kept, of: 1)
            try await age("23 hours 59 minutes")
            try await gallery.collect()
            #expect(try await gallery.serves(left))
            try await age("2 minutes")
            #expect(try await !gallery.serves(left))
            await #expect(throws: AccountError.imageNotYours) { try await gallery.show(left, of: 1) }
            #expect(gallery.files.count == 2)
            try await gallery.collect()
            #expect(gallery.files.count == 1)
            #expect(try await gallery.serves(kept))
        }
    }

    @Test func replacedImage_isDeleted() async throws {
        try await withGallery { gallery in
            let (old, new) = (
                try await gallery.upload(Picture.jpeg(), by: 1), try await gallery.upload(Picture.png(), by: 1)
            )
            try await gallery.show(old, of: 1)
            try await gallery.show(new, of: 1)
            #expect(try await !gallery.serves(old))
            try await gallery.collect()
            #expect(gallery.files.count == 1)
            try await gallery.show(new, of: 1)
            #expect(try await gallery.serves(new))
            try await gallery.show("", of: 1)
            try await gallery.collect()
            #expect(gallery.files.isEmpty)
        }
    }

    @Test func sharedFile_isKeptWhileReferenced() async throws {
        try await withGallery { gallery in
            let (mine, theirs) = (
                try await gallery.upload(Picture.jpeg(), by: 1), try await gallery.upload(Picture.jpeg(), by: 2)
            )
            #expect(mine != theirs)
            #expect(gallery.files.count == 1)
            try await gallery.show(mine, of: 1)
            try await gallery.show(theirs, of: 2)
            try await gallery.show("", of: 1)
            try await gallery.collect()
            #expect(try await gallery.serves(theirs))
            try await gallery.show("", of: 2)
            try await gallery.collect()
            #expect(gallery.files.isEmpty)
        }
    }

    @Test func concurrentUploadAndDeletion_keepSharedFile() async throws {
        try await withGallery { gallery in
            for round in 0..<20 {
                let old = try await gallery.upload(Picture.jpeg(), by: 1)
                try await gallery.show(old, of: 1)
                try await gallery.show("", of: 1)
                async let collected: Void = gallery.collect()
                async let again = gallery.upload(Picture.jpeg(), by: 2)
                let path = try await again
                try await collected
                #expect(try await gallery.serves(path), "\(round)")
            }
        }
    }

    @Test func pendingUploads_areLimitedToNewest() async throws {
        try await withGallery { gallery in
            var paths: [String] = []
            for _ in 0..<ProfileImages.waitingLimit + 2 {
                paths.append(try await gallery.upload(Picture.jpeg(), by: 1))
            }
            for (index, path) in paths.enumerated() {
                let serves = try await gallery.serves(path)
                #expect(serves == (index >= 2), "\(index)")
            }
        }
    }

    @Test func failedDeletion_isRetriedWithoutBlockingOthers() async throws {
        let disk = BadDisk()
        try await withGallery(store: { BadStore(base: $0, disk: disk) }) { gallery in
            let first = try await gallery.upload(Picture.jpeg(), by: 1)
            let second = try await gallery.upload(Picture.png(), by: 2)
            await disk.refuse(1)
            try await age("2 days")
            await #expect(throws: BadDisk.Failure.self) { try await gallery.collect() }
            try await gallery.collect()
            #expect(gallery.files.count == 1)
            try await TestDatabase.current.client.execute("UPDATE uploads SET failed_at = now() - interval '2 minutes'")
            try await gallery.collect()
            #expect(gallery.files.isEmpty)
            #expect(try await !gallery.serves(first))
            #expect(try await !gallery.serves(second))
        }
    }

    @Test func withdrawal_deletesImages() async throws {
        try await withGallery { gallery in
            let path = try await gallery.upload(Picture.jpeg(), by: 1)
            try await gallery.show(path, of: 1)
            try await TestDatabase.current.client.transaction { transaction in
                _ = try await AccountStore().withdraw(1, app: .anlaka, in: transaction)
            }
            #expect(try await !gallery.serves(path))
            await #expect(throws: AccountError.accountGone) { _ = try await gallery.upload(Picture.png(), by: 1) }
            try await gallery.collect()
            #expect(gallery.files.isEmpty)
        }
    }
}

/// A stream of one chunk.
private struct Once: AsyncSequence, AsyncIteratorProtocol {
    var bytes: ByteBuffer?

    func makeAsyncIterator() -> Once { self }

    mutating func next() async throws -> ByteBuffer? {
        defer { bytes = nil }
        return bytes
    }
}

/// Fails a given number of deletions.
private actor BadDisk {
    struct Failure: Error {}

    private var refusals = 0

    func refuse(_ count: Int) { refusals = count }

    func check() throws {
        guard refusals > 0 else { return }
        refusals -= 1
        throw Failure()
    }
}

private struct BadStore: FileStore {
    let base: LocalFileStore
    let disk: BadDisk

    func keep(_ file: IncomingFile) async throws { try await base.keep(file) }
    func open(_ id: FileID) async throws -> (any StoredFile)? { try await base.open(id) }
    func delete(_ id: FileID) async throws {
        try await disk.check()
        try await base.delete(id)
    }
}
