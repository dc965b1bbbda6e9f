import Crypto
import Files
import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore

/// Verifies the signature, time and body of requests.
struct S3Authenticator: Sendable {
    let key: S3Key

    /// The tolerated clock skew, in seconds.
    private static let skew = 15 * 60.0

    /// - Throws: `S3Error`.
    func check(_ request: Request, body: ByteBuffer) throws(S3Error) {
        guard let given = request.headers[.authorization], let scope = Self.value("Credential", in: given),
            let signed = Self.value("SignedHeaders", in: given)
        else { throw S3Error(.forbidden, "AccessDenied", "Anonymous requests are not taken.") }
        let parts = scope.split(separator: "/").map(String.init)
        guard parts.count == 5, parts[0] == key.id else {
            throw S3Error(.forbidden, "InvalidAccessKeyId", "The access key does not exist.")
        }
        let time = Self.header("x-amz-date", of: request)
        guard let date = S3Time.date(time), abs(date.timeIntervalSinceNow) < Self.skew, time.hasPrefix(parts[1]) else {
            throw S3Error(.forbidden, "RequestTimeTooSkewed", "The time of the request is too far from now.")
        }
        let payload = Self.header("x-amz-content-sha256", of: request)
        guard FileID(SHA256.hash(data: body.readableBytesView)).text == payload else {
            throw S3Error(.badRequest, "XAmzContentSHA256Mismatch", "The body is not the one that was signed.")
        }
        let names = signed.split(separator: ";").map(String.init)
        let required = Set(["host", "x-amz-content-sha256", "x-amz-date"])
        let expected = S3Signature(key: key, region: parts[2]).authorization(
            method: request.method.rawValue,
            path: request.uri.path,
            query: request.uri.query ?? "",
            headers: names.map { ($0, Self.header($0, of: request)) },
            payload: payload,
            time: time
        )
        guard required.isSubset(of: names), expected == given else {
            throw S3Error(.forbidden, "SignatureDoesNotMatch", "The signature is not that of the request.")
        }
    }

    private static func header(_ name: String, of request: Request) -> String {
        if name == "host" { return request.head.authority ?? "" }
        return HTTPField.Name(name).flatMap { request.headers[$0] } ?? ""
    }

    /// The value after `NAME=`, up to a comma.
    private static func value(_ name: String, in text: String) -> String? {
        text.split(whereSeparator: { ", ".contains($0) }).first { $0.hasPrefix("\(name)=") }
            .map { String($0.dropFirst(name.count + 1)) }
    }
}
