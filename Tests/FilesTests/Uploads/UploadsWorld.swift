import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Files

/// Uploads in a temporary folder.
struct UploadsWorld: Fixture {
    static let migrations = [Uploads.migration(version: 1)]
    static let rules = UploadRules(limit: 4096, types: .pictures, prefix: "/data/a/")
    static let waitingLimit = 6

    let uploads: Uploads
    let folder: String

    static func with(
        store: (LocalFileStore) -> any FileStore = { $0 },
        _ body: (UploadsWorld) async throws -> Void
    ) async throws {
        let files = FilesConfiguration.temporary
        let uploads = Uploads(
            database: TestDatabase.current.client,
            intake: files.intake,
            files: store(LocalFileStore(folder: files.folder)),
            waitingLimit: waitingLimit
        )
        try await uploads.prepare()
        defer { try? FileManager.default.removeItem(atPath: files.folder) }
        try await body(UploadsWorld(uploads: uploads, folder: files.folder))
    }

    var database: PostgresClient { TestDatabase.current.client }

    /// Stored and incoming files.
    var files: [String] {
        let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
        return paths.filter { path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }
    }

    func rows() async throws -> Int {
        try await database.one("SELECT count(*) FROM uploads") { try $0.decode(Int.self) }
    }

    func form(_ form: MultipartForm, upTo count: Int = 3) async throws -> UploadForm {
        try await read(RequestBody(buffer: ByteBuffer(bytes: form.bytes)), upTo: count)
    }

    func read(_ body: RequestBody, upTo count: Int = 3) async throws -> UploadForm {
        let head = HTTPRequest(
            method: .post,
            scheme: nil,
            authority: nil,
            path: "/",
            headerFields: [.contentType: MultipartForm.contentType]
        )
        return try await UploadForm.read(
            Request(head: head, body: body),
            file: "files",
            upTo: count,
            texts: ["nick"],
            rules: Self.rules,
            into: uploads
        )
    }

    /// Stores pictures.
    ///
    /// - Returns: their names.
    func send(_ pictures: [UInt8]..., by account: AccountID = 1) async throws -> [String] {
        let form = try await form(pictures.reduce(MultipartForm()) { $0.file("files", $1) }, upTo: 9)
        return try await uploads.keep(form.files, by: account) { _ in }.map(\.name)
    }

    func refer(to names: String..., by account: AccountID = 1) async throws -> Set<String> {
        try await database.transaction { try await UploadStore().refer(to: Set(names), of: account, in: $0) }
    }

    func expire(of account: AccountID = 1, except names: Set<String> = []) async throws {
        try await database.transaction { try await UploadStore().expireAll(of: account, except: names, in: $0) }
    }

    /// The served bytes; nil if the upload is not served.
    func bytes(_ name: String) async throws -> [UInt8]? {
        guard let upload = try await uploads.upload(named: name), let file = try await uploads.open(upload) else {
            return nil
        }
        var bytes: [UInt8] = []
        var reader = try await file.read(0..<file.size)
        while let chunk = try await reader.next() { bytes += chunk.readableBytesView }
        return bytes
    }

    func age(_ interval: String) async throws {
        try await database.execute("UPDATE uploads SET expires_at = expires_at - \(interval)::text::interval")
    }

    func collect() async throws {
        while try await uploads.collectNext() {}
    }
}

extension Trait where Self == FixtureTrait<UploadsWorld> {
    static var uploads: Self { .fixture { try await UploadsWorld.with($0) } }
}
