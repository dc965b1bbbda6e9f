import AsyncHTTPClient
package import Files
import NIOCore
import NIOHTTP1
import StackKit

/// A bucket of an S3-compatible object store.
///
/// Source: Amazon's "S3 API Reference" (PutObject, GetObject, DeleteObject, ListObjectsV2, "Error Responses").
package struct S3Place: BackupPlace {
    private let client: S3Client

    /// They fail at once when the store refuses them.
    private static let connections: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.timeout.connect = .seconds(10)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()
    /// Of the list of files; no other object has more than 64 MB.
    private static let largestBody = 1 << 30

    /// - Parameter bucket: A bucket that has nothing else; its prefix is not used.
    package init(bucket: S3Bucket) {
        client = S3Client(bucket: bucket, http: Self.connections, timeout: 120, tries: 4)
    }

    package var description: String { client.bucket.url }

    package func path(of folder: String) -> String? { nil }

    package func put(_ bytes: [UInt8], as name: String) async throws {
        let answer = try await send(.PUT, name, body: bytes)
        guard answer.status == .ok else { throw refused(answer, "PUT") }
    }

    package func get(_ name: String) async throws -> [UInt8]? {
        let answer = try await send(.GET, name)
        if answer.status == .notFound, answer.code != "NoSuchBucket" { return nil }
        guard answer.status == .ok else { throw refused(answer, "GET") }
        return Array(answer.body.readableBytesView)
    }

    package func delete(_ name: String) async throws {
        let answer = try await send(.DELETE, name)
        guard [.ok, .noContent, .notFound].contains(answer.status) else { throw refused(answer, "DELETE") }
    }

    package func names(below folder: String) async throws -> [String] {
        var names: [String] = []
        var next: String?
        repeat {
            let token = next.map { [(name: "continuation-token", value: $0)] } ?? []
            let query = token + [("list-type", "2"), ("prefix", "\(folder)/")]
            let answer = try await send(.GET, "", query: query)
            guard answer.status == .ok else { throw refused(answer, "ListObjectsV2") }
            names += answer.values(of: "Key")
            next = answer.values(of: "NextContinuationToken").first
        } while next != nil
        return names.sorted()
    }

    private struct Answer: Sendable {
        var status: HTTPResponseStatus
        var body: ByteBuffer

        /// Why the store refuses; nil if it does not say so.
        var code: String? { values(of: "Code").first }

        /// The texts of the elements of an XML document that have a name and no others within.
        func values(of element: String) -> [String] {
            let parts = String(buffer: body).split(separator: "<\(element)>", omittingEmptySubsequences: false)
            return parts.dropFirst().map { part in
                let text = part.prefix { $0 != "<" }
                return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
                    .reduce(String(text)) { $0.replacing($1.0, with: $1.1) }
            }
        }
    }

    /// - Throws: `StackError` if the store does not respond, or responds with 5xx, after several attempts.
    private func send(
        _ method: HTTPMethod,
        _ name: String,
        query: [(name: String, value: String)] = [],
        body: [UInt8] = []
    ) async throws -> Answer {
        do {
            return try await client.send(method, name, query: query, payload: BaseBackup.checksum(body)) { request in
                if method == .PUT { request.body = .bytes(ByteBuffer(bytes: body)) }
            } read: { answer in
                Answer(status: answer.status, body: try await answer.body.collect(upTo: Self.largestBody))
            }
        } catch let error as S3Client.Unavailable {
            throw StackError(
                "\(description) does not respond: \(error.reason); see that it runs and is reachable, then try again"
            )
        }
    }

    private func refused(_ answer: Answer, _ call: String) -> StackError {
        if answer.status == .notFound {
            return StackError("there is no bucket \(description); create it, or correct BACKUP_TO")
        }
        return StackError(
            "\(description) refuses \(call) with \(answer.status.code) \(answer.code ?? ""); check BACKUP_S3_KEY_ID, "
                + "BACKUP_S3_SECRET, BACKUP_S3_REGION and what the key may do there"
        )
    }
}
