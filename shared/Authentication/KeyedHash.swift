import Crypto
import FoundationEssentials

/// Hashes of short secrets, which nobody can find by trying who does not have ours: HMAC-SHA256 under a derived key.
package struct KeyedHash: Sendable {
    private let key: SymmetricKey

    /// - Parameters:
    ///   - secret: what the key is derived from.
    ///   - purpose: keeps keys for different uses apart.
    package init(secret: String, purpose: String) {
        key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(secret.utf8)),
            info: Array(purpose.utf8),
            outputByteCount: 32
        )
    }

    /// 32 bytes.
    package func digest(_ text: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key))
    }
}
