import Crypto
import FoundationEssentials

/// Hashes of short secrets that cannot be brute-forced without the server's secret: HMAC-SHA256 with a derived key.
package struct KeyedHash: Sendable {
    private let key: SymmetricKey

    /// - Parameters:
    ///   - secret: The secret that the key is derived from.
    ///   - purpose: Separates the keys of different uses.
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
