import Crypto
import FoundationEssentials
import NIOCore

/// A request that its sender has given a name (`Idempotency-Key`; IETF draft-ietf-httpapi-idempotency-key-header).
struct RepeatableRequest: Sendable, Equatable {
    var account: Int64
    var key: String
    /// SHA-256 of what is asked for.
    var fingerprint: [UInt8]

    init(account: Int64, key: String, method: String, path: String, body: ByteBuffer) {
        self.account = account
        self.key = key
        var hash = SHA256()
        hash.update(data: Array("\(method) \(path)\n".utf8))
        hash.update(data: Array(body.readableBytesView))
        fingerprint = Array(hash.finalize())
    }
}

/// What a request was answered.
struct RecordedAnswer: Sendable, Equatable {
    var status: Int
    var contentType: String?
    var body: ByteBuffer
}

/// What is known of a request.
struct RequestRecord: Sendable, Equatable {
    var fingerprint: [UInt8]
    /// nil while it is being answered.
    var answer: RecordedAnswer?
}
