import Contracts
import Files
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .anlaka) struct FileRoutesTests {
    private var world: CommunityWorld { .current }
    private static let limit = 5 * 1024 * 1024

    private func form(_ files: [[UInt8]], named name: String = "files") -> MultipartForm {
        files.reduce(MultipartForm()) { $0.file(name, $1, filename: "a.jpg") }
    }

    @Test func files_areServedUnchanged() async throws {
        let movie: [UInt8] = [0, 0, 0, 24] + Array("ftypisom".utf8) + [0, 0, 2, 0] + Array("isomiso2mdat".utf8)
        let files = [Picture.jpeg(size: Self.limit), Array("%PDF-1.7\n%%EOF".utf8), movie]
        let paths = try await world.upload(1, files)
        #expect(paths.map { $0.split(separator: ".").last } == ["jpg", "pdf", "mp4"])
        let post = try await world.post(files: paths)
        #expect(try await world.show(post, by: 2)?.files == paths)
        for (path, bytes) in zip(paths, files) {
            let served = try await ServiceClient(world.client, to: .community, app: .anlaka).send(.get, "/v1\(path)")
            #expect(served.status == .ok && Array(served.body.readableBytesView) == bytes)
            #expect(served.headers[.xContentTypeOptions] == "nosniff")
        }
    }

    @Test func invalidForm_returns400() async throws {
        let forms: [MultipartForm] = [
            MultipartForm(), form(Array(repeating: Picture.jpeg(), count: 6)), form([Array("MZ executable".utf8)]),
            form([Picture.jpeg(), Array("<svg/>".utf8)]), form([[]]), form([Picture.jpeg(size: Self.limit + 1)]),
            form([Picture.jpeg()], named: "other"),
        ]
        for form in forms {
            let answer = try await world.client(1).send(.post, "/v1/posts/files", form: form)
            #expect(answer.status == .badRequest)
            #expect(try answer.keys() == ["message"])
        }
        #expect(try await world.count("uploads") == 0)
        #expect(try await world.upload(1, Array(repeating: Picture.jpeg(), count: 5)).count == 5)
    }

    @Test func post_acceptsOwnFilesOnly() async throws {
        let theirs = try await world.upload(2, [Picture.jpeg()])
        let own = try await world.upload(1, [Picture.jpeg()])
        let name = own[0].split(separator: "/").last ?? ""
        for files in [theirs, own + own, own + theirs, ["/uploads/posts/\(name)"], ["uploads/posts/\(name)"]] {
            let answer = try await world.publish(CommunityWorld.post(files: files))
            #expect(answer.status == .badRequest && answer.text.contains("files"), "\(files)")
        }
        let id = try await world.post(files: own)
        let change = CommunityWorld.post(files: theirs)
        #expect(try await world.client(1).send(.put, "/v1/posts/\(id)", json: change).status == .badRequest)
        #expect(try await world.show(id)?.files == own)
        #expect(try await world.client(1, of: .culture).send(.get, "/v1/uploads/posts/\(name)").status.code == 410)
    }

    /// A file without a post is deleted after a day, and a file that a post drops, at once.
    @Test func unusedFiles_areDeleted() async throws {
        let files = try await world.upload(1, [Picture.jpeg(), Picture.jpeg(size: 700), Picture.jpeg(size: 800)])
        let id = try await world.post(files: [files[0], files[1]])
        let change = CommunityWorld.post(files: [files[0]])
        #expect(try await world.client(1).send(.put, "/v1/posts/\(id)", json: change).status == .ok)
        try await world.database.execute("UPDATE uploads SET expires_at = expires_at - interval '2 days'")
        #expect(try await world.serves(files) == [200, 404, 404])
        #expect(try await world.client(1).send(.delete, "/v1/posts/\(id)").status == .ok)
        #expect(try await world.serves(files) == [404, 404, 404])
    }
}

extension CommunityWorld {
    fileprivate func serves(_ paths: [String]) async throws -> [Int] {
        var codes: [Int] = []
        for path in paths { codes.append(try await client(1).send(.get, "/v1\(path)").status.code) }
        return codes
    }
}
