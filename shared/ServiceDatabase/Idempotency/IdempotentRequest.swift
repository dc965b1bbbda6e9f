import Contracts
import Crypto
import NIOCore

/// A request with an `Idempotency-Key` (IETF draft-ietf-httpapi-idempotency-key-header).
struct IdempotentRequest: Sendable, Equatable {
    /// The account that owns the key.
    var account: AccountID
    var key: String
    /// SHA-256 of method, path with query, and body.
    var fingerprint: [UInt8]

    init(account: AccountID, key: String, method: String, path: String, body: ByteBuffer) {
        self.account = account
        self.key = key
        var hash = SHA256()
        hash.update(data: Array("\(method) \(path)\n".utf8))
        hash.update(data: Array(body.readableBytesView))
        fingerprint = Array(hash.finalize())
    }
}

/// A stored response.
struct RecordedResponse: Sendable, Equatable {
    var status: Int
    var contentType: String?
    var location: String?
    var body: ByteBuffer
}

/// The stored state of a request.
struct RequestRecord: Sendable, Equatable {
    var fingerprint: [UInt8]
    /// nil while the request is being handled.
    var answer: RecordedResponse?
}
