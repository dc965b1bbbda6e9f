import Crypto
import FoundationEssentials
import NIOCore
import TestKit
import Testing

@testable import Files

@Suite struct LocalFileStoreTests {
    /// An intake and a store in a temporary folder.
    private struct Storage {
        var folder: String
        var intake: FileIntake
        var store: LocalFileStore

        var names: [String] {
            let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
            return paths.filter { $0.split(separator: "/").last?.count ?? 0 > 20 }.sorted()
        }

        func receive(_ bytes: [UInt8], limit: Int = 1 << 20, types: Set<FileType> = .pictures) async throws
            -> IncomingFile
        {
            let chunks = stride(from: 0, to: bytes.count, by: 1000).map { start in
                ByteBuffer(bytes: bytes[start..<min(start + 1000, bytes.count)])
            }
            return try await intake.receive(Chunks(rest: chunks[...]), limit: limit, types: types)
        }

        func content(_ id: FileID) async throws -> [UInt8]? {
            guard let file = try await store.open(id) else { return nil }
            var bytes: [UInt8] = []
            var reader = try await file.read(0..<file.size)
            while let chunk = try await reader.next() { bytes += chunk.readableBytesView }
            #expect(bytes.count == file.size)
            return bytes
        }
    }

    private func withStorage(_ body: (Storage) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UUID().uuidString)").path
        let storage = Storage(
            folder: folder,
            intake: FileIntake(folder: "\(folder)/incoming"),
            store: LocalFileStore(folder: folder)
        )
        try await storage.intake.prepare()
        let outcome: Result<Void, any Error>
        do {
            try await body(storage)
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try FileManager.default.removeItem(atPath: folder)
        try outcome.get()
    }

    @Test func file_isStoredUnderHash() async throws {
        try await withStorage { storage in
            let picture = Picture.jpeg(size: 200_000)
            let file = try await storage.receive(picture)
            #expect(file.type == .jpeg)
            #expect(file.size == picture.count)
            #expect(file.id == FileID(SHA256.hash(data: picture)))
            #expect(try await storage.content(file.id) == nil)
            try await storage.store.keep(file)
            #expect(try await storage.content(file.id) == picture)
            #expect(storage.names == ["\(file.id.text.prefix(2))/\(file.id.text.dropFirst(2))"])

            let again = try await storage.receive(picture)
            try await storage.store.keep(again)
            #expect(again.id == file.id)
            #expect(storage.names.count == 1)

            let open = try #require(try await storage.store.open(file.id))
            try await storage.store.delete(file.id)
            try await storage.store.delete(file.id)
            var read: [UInt8] = []
            var reader = try await open.read(10..<200_000)
            while let chunk = try await reader.next() { read += chunk.readableBytesView }
            #expect(read == Array(picture[10...]))
            #expect(try await storage.content(file.id) == nil)
            #expect(storage.names.isEmpty)
        }
    }

    @Test func hash_isComputedWithoutMetadata() async throws {
        try await withStorage { storage in
            let plain = try await storage.receive(Picture.jpeg(size: 600))
            let exif = Picture.jpeg(size: 600 + Picture.exif(orientation: 1).count + 4, orientation: 1)
            let photograph = try await storage.receive(exif)
            #expect(photograph.id == plain.id)
            #expect(photograph.size == 600)
        }
    }

    @Test func sizeLimit_appliesToReceivedBytes() async throws {
        try await withStorage { storage in
            for limit in [1000, 5000, 5999] {
                let exact = try await storage.receive(Picture.jpeg(size: limit), limit: limit)
                #expect(exact.size == limit)
                storage.intake.discard(exact)
                await #expect(throws: FilesError.tooLarge(limit: limit)) {
                    _ = try await storage.receive(Picture.jpeg(size: limit + 1), limit: limit)
                }
            }
            #expect(storage.names.isEmpty)
        }
    }

    @Test func refusedFile_isNotStored() async throws {
        try await withStorage { storage in
            await #expect(throws: FilesError.empty) { _ = try await storage.receive([]) }
            await #expect(throws: FilesError.type(nil)) { _ = try await storage.receive(Array("<html>".utf8)) }
            await #expect(throws: FilesError.type(.png)) {
                _ = try await storage.receive(Picture.png(), types: [.jpeg])
            }
            struct Gone: Error {}
            let breaking = AsyncThrowingStream<ByteBuffer, any Error> { stream in
                stream.yield(ByteBuffer(bytes: Picture.jpeg(size: 5000)))
                stream.finish(throwing: Gone())
            }
            await #expect(throws: Gone.self) {
                _ = try await storage.intake.receive(breaking, limit: 1 << 20, types: .pictures)
            }
            #expect(storage.names.isEmpty)
        }
    }

    @Test func prepare_deletesOldIncomingFiles() async throws {
        try await withStorage { storage in
            let file = try await storage.receive(Picture.png())
            try await storage.intake.prepare()
            #expect(storage.names.count == 1)
            try FileManager.default.setAttributes([.modificationDate: Date.now - 90_000], ofItemAtPath: file.path)
            try await storage.intake.prepare()
            #expect(storage.names.isEmpty)
        }
    }

    @Test(arguments: ["", "../../etc/passwd", String(repeating: "A", count: 64), String(repeating: "/", count: 64)])
    func invalidFileID_isNil(text: String) {
        #expect(FileID(parsing: text) == nil)
    }

    @Test func fileID_roundTrips() {
        let id = FileID(SHA256.hash(data: [1]))
        #expect(FileID(parsing: id.text) == id)
        #expect(id.text.hasPrefix("4bf5122f"))
    }
}

/// A stream of the given chunks.
struct Chunks: AsyncSequence, AsyncIteratorProtocol {
    var rest: ArraySlice<ByteBuffer>

    func makeAsyncIterator() -> Chunks { self }

    mutating func next() async throws -> ByteBuffer? { rest.popFirst() }
}
