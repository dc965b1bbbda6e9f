package import AsyncHTTPClient
import Crypto
import FoundationEssentials
import NIOCore
package import NIOHTTP1
import ServiceKit

/// Calls an S3-compatible object store, and calls again when it does not respond. Calls are therefore idempotent.
package struct S3Client: Sendable {
    package let bucket: S3Bucket
    private let http: HTTPClient
    private let timeout: TimeAmount
    private let tries: Int
    private let signature: S3Signature

    /// The store did not respond, or with 5xx, to any attempt.
    package struct Unavailable: Error {
        package var reason: String
    }

    /// The SHA-256 of an empty body.
    private static let emptyPayload = FileID(SHA256.hash(data: [UInt8]())).text

    /// - Parameters:
    ///   - seconds: The timeout of one attempt.
    package init(bucket: S3Bucket, http: HTTPClient, timeout seconds: Int64, tries: Int) {
        self.bucket = bucket
        self.http = http
        self.tries = tries
        timeout = .seconds(seconds)
        signature = S3Signature(key: bucket.key, region: bucket.region)
    }

    /// - Parameters:
    ///   - name: The object below the bucket; empty for the bucket itself.
    ///   - query: Parameters in alphabetical order.
    ///   - payload: The SHA-256 of the body, in hexadecimal; nil for no body.
    ///   - prepare: Adds the body and headers that are not signed.
    ///   - read: Reads the response, and is repeated as well.
    /// - Throws: `Unavailable`.
    package func send<Value: Sendable>(
        _ method: HTTPMethod,
        _ name: String,
        query: [(name: String, value: String)] = [],
        payload: String? = nil,
        prepare: (inout HTTPClientRequest) -> Void = { _ in },
        read: (HTTPClientResponse) async throws -> Value
    ) async throws -> Value {
        let path = name.isEmpty ? bucket.url : "\(bucket.url)/\(name)"
        let query = query.map { "\($0.name)=\(S3Signature.encoded($0.value))" }.joined(separator: "&")
        var reason = ""
        for attempt in 1...tries {
            var request = HTTPClientRequest(url: query.isEmpty ? path : "\(path)?\(query)")
            request.method = method
            prepare(&request)
            sign(&request, path: path, query: query, payload: payload ?? Self.emptyPayload)
            do {
                let answer = try await measuringCall(of: "S3") {
                    let answer = try await http.execute(request, timeout: timeout)
                    return (answer, Int(answer.status.code))
                }
                if answer.status.code < 500 { return try await read(answer) }
                reason = "it answers \(answer.status.code)"
            } catch {
                try Task.checkCancellation()
                reason = "\(error)"
            }
            if attempt < tries { try await Task.sleep(for: .milliseconds(100 << attempt)) }
        }
        throw Unavailable(reason: reason)
    }

    private func sign(_ request: inout HTTPClientRequest, path: String, query: String, payload: String) {
        guard let url = URL(string: path), let host = url.host() else { return }
        let time = S3Time(.now).text
        let signed = [
            ("host", url.port.map { "\(host):\($0)" } ?? host), ("x-amz-content-sha256", payload), ("x-amz-date", time),
        ]
        for (name, value) in signed { request.headers.replaceOrAdd(name: name, value: value) }
        let authorization = signature.authorization(
            method: request.method.rawValue,
            path: url.path(percentEncoded: true),
            query: query,
            headers: signed,
            payload: payload,
            time: time
        )
        request.headers.replaceOrAdd(name: "authorization", value: authorization)
    }
}
