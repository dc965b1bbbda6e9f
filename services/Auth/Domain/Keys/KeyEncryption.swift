import Crypto
import FoundationEssentials

/// Encryption of values stored in the database: AES-GCM under a key derived by HKDF-SHA256.
struct KeyEncryption: Sendable {
    private let key: SymmetricKey

    /// - Parameters:
    ///   - secret: the input keying material.
    ///   - purpose: the HKDF info, which separates keys of different uses.
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

    /// - Throws: an error when the bytes were encrypted under another key, or modified.
    func open(_ sealed: [UInt8]) throws -> [UInt8] {
        Array(try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key))
    }
}
