import Crypto

/// Signs requests to an object store: AWS Signature Version 4 in the `Authorization` header, the payload hashed as a
/// whole (AWS, "Authenticating Requests: Transferring Payload in a Single Chunk").
package struct S3Signature: Sendable {
    private let key: S3Key
    private let region: String

    package init(key: S3Key, region: String) {
        self.key = key
        self.region = region
    }

    /// The value of `Authorization`.
    ///
    /// - Parameters:
    ///   - path: The percent-encoded path, as it is sent.
    ///   - query: Its parameters, percent-encoded and in alphabetical order.
    ///   - headers: The signed headers, including `host`, `x-amz-content-sha256` and `x-amz-date`.
    ///   - payload: The SHA-256 of the body, in hexadecimal.
    ///   - time: The value of `x-amz-date`, `20130524T000000Z`.
    package func authorization(
        method: String,
        path: String,
        query: String = "",
        headers: [(name: String, value: String)],
        payload: String,
        time: String
    ) -> String {
        let headers = headers.map { (name: $0.name.lowercased(), value: $0.value) }.sorted { $0.name < $1.name }
        let names = headers.map(\.name).joined(separator: ";")
        let request = [method, path, query, headers.map { "\($0.name):\($0.value)\n" }.joined(), names, payload]
        let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
        let digest = Self.hexadecimal(SHA256.hash(data: Array(request.joined(separator: "\n").utf8)))
        let text = ["AWS4-HMAC-SHA256", time, scope, digest].joined(separator: "\n")
        let steps = [String(time.prefix(8)), region, "s3", "aws4_request"]
        let signing = steps.reduce(SymmetricKey(data: Array("AWS4\(key.secret)".utf8))) { key, step in
            SymmetricKey(data: HMAC<SHA256>.authenticationCode(for: Array(step.utf8), using: key))
        }
        let signature = Self.hexadecimal(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: signing))
        return "AWS4-HMAC-SHA256 Credential=\(key.id)/\(scope),SignedHeaders=\(names),Signature=\(signature)"
    }

    /// Percent-encodes a value of a query: everything but the unreserved characters of RFC 3986.
    package static func encoded(_ value: String) -> String {
        value.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isUnreserved =
                scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789-._~".unicodeScalars.contains(scalar))
            return isUnreserved ? String(scalar) : "%" + hexadecimal([byte]).uppercased()
        }.joined()
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
