package import AsyncHTTPClient
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix

/// Stores files in a bucket: the object `SERVICE/ab/cdef…` for the id `abcdef…`. Calls are idempotent, because the name
/// is the hash of the content, and are retried when the store does not respond.
package struct S3FileStore: FileStore {
    private let client: S3Client

    package init(bucket: S3Bucket, http: HTTPClient) {
        // Files have a few megabytes.
        client = S3Client(bucket: bucket, http: http, timeout: 30, tries: 3)
    }

    package func keep(_ file: IncomingFile) async throws {
        let local = try await NIOThreadPool.singleton.runIfActive {
            try LocalFile(path: file.path, threads: .singleton)
        }
        let answer = try await send(.PUT, file.id, payload: file.id.text) { request in
            request.headers.add(name: "content-type", value: file.type.contentType)
            request.body = .stream(
                LocalFileReader(file: local, rest: 0..<local.size),
                length: .known(Int64(local.size))
            )
        }
        guard answer.status == .ok else { throw refused(answer, "PUT") }
        FileDraft.remove(file.path)
    }

    package func open(_ id: FileID) async throws -> (any StoredFile)? {
        let answer = try await send(.HEAD, id)
        switch answer.status {
        case .ok:
            guard let size = answer.headers.first(name: "content-length").flatMap({ Int($0) }) else {
                throw refused(answer, "HEAD")
            }
            return S3File(size: size, id: id, store: self)
        case .notFound: return nil
        default: throw refused(answer, "HEAD")
        }
    }

    package func delete(_ id: FileID) async throws {
        let answer = try await send(.DELETE, id)
        guard [.ok, .noContent, .notFound].contains(answer.status) else { throw refused(answer, "DELETE") }
    }

    /// The bytes of a part of an object.
    fileprivate func part(_ range: Range<Int>, of id: FileID) async throws -> HTTPClientResponse.Body {
        let answer = try await send(.GET, id) { request in
            request.headers.add(name: "range", value: "bytes=\(range.lowerBound)-\(range.upperBound - 1)")
        }
        guard answer.status == .partialContent || answer.status == .ok && range.lowerBound == 0 else {
            throw refused(answer, "GET")
        }
        return answer.body
    }

    /// - Throws: `FilesError.unavailable` if the store does not respond, or responds with 5xx, after several attempts.
    private func send(
        _ method: HTTPMethod,
        _ id: FileID,
        payload: String? = nil,
        _ prepare: (inout HTTPClientRequest) -> Void = { _ in }
    ) async throws -> HTTPClientResponse {
        let name = "\(client.bucket.prefix)/\(id.text.prefix(2))/\(id.text.dropFirst(2))"
        do {
            return try await client.send(method, name, payload: payload, prepare: prepare) { $0 }
        } catch let error as S3Client.Unavailable {
            Logger.current.warning("object store: no response", metadata: ["reason": "\(error.reason)"])
            throw FilesError.unavailable
        }
    }

    /// Logs that the store refuses a call, which means that a setting is wrong, and returns the error.
    private func refused(_ answer: HTTPClientResponse, _ call: String) -> FilesError {
        Logger.current.error(
            "object store: call refused",
            metadata: ["call": "\(call)", "status": .stringConvertible(answer.status.code)]
        )
        return .unavailable
    }
}

/// An object of an `S3FileStore`.
private struct S3File: StoredFile {
    let size: Int
    let id: FileID
    let store: S3FileStore

    func read(_ range: Range<Int>) async throws -> any FileReader {
        guard !range.isEmpty else { return StoredBytes([]).read(0..<0) }
        return Reader(bytes: try await store.part(range, of: id).makeAsyncIterator())
    }

    private struct Reader: FileReader {
        var bytes: HTTPClientResponse.Body.AsyncIterator

        mutating func next() async throws -> ByteBuffer? { try await bytes.next(isolation: #isolation) }
    }
}
