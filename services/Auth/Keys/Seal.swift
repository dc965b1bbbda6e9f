import Crypto
import FoundationEssentials

/// Encryption of what the database must keep but must not know: AES-GCM under a key derived by HKDF-SHA256.
struct Seal: Sendable {
    private let key: SymmetricKey

    /// - Parameters:
    ///   - secret: what the key is derived from.
    ///   - purpose: keeps keys for different uses apart.
    init(secret: String, purpose: String) {
        self.key = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: Array(secret.utf8)),
            info: Array(purpose.utf8),
            outputByteCount: 32
        )
    }

    func close(_ plain: some DataProtocol) throws -> [UInt8] {
        guard let sealed = try AES.GCM.seal(plain, using: key).combined else {
            throw CryptoKitError.incorrectParameterSize
        }
        return Array(sealed)
    }

    /// - Throws: when the bytes were sealed under another key, or changed since.
    func open(_ sealed: [UInt8]) throws -> [UInt8] {
        Array(try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key))
    }
}
