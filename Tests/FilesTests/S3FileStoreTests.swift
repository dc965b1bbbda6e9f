import AsyncHTTPClient
import Crypto
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import NIOCore
import TestKit
import Testing

@testable import Files
@testable import Sandbox

/// Files in the sandbox's object store.
@Suite(.timeLimit(.minutes(1))) struct S3FileStoreTests {
    private struct Storage: Sendable {
        var files: FilesConfiguration
        var sandbox: any TestClientProtocol

        var store: any FileStore { files.store }

        func receive(_ bytes: [UInt8]) async throws -> IncomingFile {
            try await files.intake.receive(Chunks(rest: [ByteBuffer(bytes: bytes)]), limit: 8 << 20, types: .pictures)
        }

        func objects() async throws -> [String] {
            struct Answer: Decodable { var objects: [String] }
            return try await sandbox.execute(uri: "/_control/s3/objects", method: .get) {
                try $0.json(Answer.self).objects
            }
        }

        func fail(_ count: Int, status: Int = 500) async throws {
            let fault = #"{"provider":"s3","kind":"http","status":\#(status),"count":\#(count)}"#
            try await sandbox.execute(uri: "/_control/faults", method: .post, body: ByteBuffer(string: fault)) {
                #expect($0.status == .noContent)
            }
        }

        func waiting() -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: "\(files.folder)/incoming"))?.count ?? 0
        }
    }

    private func withStorage(
        key: S3Key = .development,
        _ body: @escaping @Sendable (Storage) async throws -> Void
    ) async throws {
        var settings = SandboxConfiguration()
        settings.port = 0
        try await buildSandbox(settings, logger: .quiet).test(.live) { sandbox in
            var files = FilesConfiguration.temporary
            let url = "http://127.0.0.1:\(sandbox.port ?? 0)/s3/madang"
            files.bucket = S3Bucket(url: url, prefix: "community", region: "kr-standard", key: key)
            let folder = files.folder
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try await files.intake.prepare()
            try await body(Storage(files: files, sandbox: sandbox))
        }
    }

    @Test func storedFile_isReadBack() async throws {
        try await withStorage { storage in
            // The file is larger than one chunk.
            let picture = Picture.jpeg(size: 300_000)
            let file = try await storage.receive(picture)
            try await storage.store.keep(file)
            #expect(storage.waiting() == 0)
            let name = "community/\(file.id.text.prefix(2))/\(file.id.text.dropFirst(2))"
            #expect(try await storage.objects() == [name])

            let stored = try #require(try await storage.store.open(file.id))
            #expect(stored.size == picture.count)
            for range in [0..<picture.count, 0..<1, 100_000..<299_999, 5..<5] {
                var read: [UInt8] = []
                var reader = try await stored.read(range)
                while let chunk = try await reader.next() { read += chunk.readableBytesView }
                #expect(read == Array(picture[range]))
            }

            try await storage.store.keep(try await storage.receive(picture))
            #expect(try await storage.objects() == [name])
            try await storage.store.delete(file.id)
            try await storage.store.delete(file.id)
            #expect(try await storage.store.open(file.id) == nil)
            #expect(try await storage.objects().isEmpty)
        }
    }

    @Test func failedRequest_isRetried() async throws {
        try await withStorage { storage in
            let file = try await storage.receive(Picture.jpeg())
            try await storage.fail(2, status: 503)
            try await storage.store.keep(file)
            #expect(try await storage.store.open(file.id) != nil)
            try await storage.fail(3)
            await #expect(throws: FilesError.unavailable) { try await storage.store.open(file.id) }
        }
    }

    @Test func keep_withWrongKey_storesNothing() async throws {
        try await withStorage(key: S3Key(id: S3Key.development.id, secret: "another")) { storage in
            let file = try await storage.receive(Picture.jpeg())
            await #expect(throws: FilesError.unavailable) { try await storage.store.keep(file) }
            #expect(try await storage.objects().isEmpty)
            // The incoming file stays until it is discarded.
            #expect(storage.waiting() == 1)
        }
    }

    @Test func unsignedRequest_returns403() async throws {
        try await withStorage { storage in
            for method in [HTTPRequest.Method.get, .put, .delete] {
                try await storage.sandbox.execute(uri: "/s3/madang/community/x", method: method) {
                    #expect($0.status == .forbidden && $0.text.contains("AccessDenied"))
                }
            }
        }
    }
}
