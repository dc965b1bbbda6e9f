import Crypto
import FoundationEssentials

extension UUID {
    /// A UUID derived from words: a custom UUID by SHA-256 (RFC 9562 §5.8, version 8).
    ///
    /// - Parameter words: The input. Each word is length-prefixed: `["a", "b"]` and `["ab"]` give different UUIDs.
    init(derivedFrom words: [String]) {
        var hash = SHA256()
        for word in words {
            hash.update(data: Array("\(word.utf8.count):".utf8))
            hash.update(data: Array(word.utf8))
        }
        var bytes = Array(hash.finalize().prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
