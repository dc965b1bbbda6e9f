import Contracts
package import Crypto

/// The key by which one program's calls of another are authenticated (HMAC-SHA256, RFC 2104).
///
/// Both derive it from their own private key and the other's public key (X25519, RFC 7748) by HKDF-SHA256 (RFC 5869) over
/// both names and public keys. No third program can make or verify a code, and a code of one direction is none of the other.
package struct CallKey: Sendable {
    /// A message authentication code.
    package struct Code: Sendable {
        /// The number of characters in base64url.
        package static let length = 43

        fileprivate let bytes: HMAC<SHA256>.MAC

        /// Writes it in base64url, to at least `length` bytes.
        ///
        /// - Returns: `length`.
        package func write(to target: UnsafeMutableRawBufferPointer) -> Int {
            bytes.withUnsafeBytes { Base64URL.write($0, to: target) }
        }

        package var text: String { String(unsafeUninitializedCapacity: Self.length) { write(to: .init($0)) } }

        /// Compares in constant time.
        package func isEqual(to code: [UInt8]) -> Bool { bytes == code }
    }

    private let key: SymmetricKey
    /// It has read the key.
    private let authenticator: HMAC<SHA256>

    /// - Parameters:
    ///   - secret: What the two key pairs agree on.
    ///   - caller: The calling program and its public key.
    ///   - target: The called program and its public key.
    init(_ secret: SharedSecret, from caller: (ProgramName, PublicKey), to target: (ProgramName, PublicKey)) {
        let names = "madang call from \(caller.0.rawValue) to \(target.0.rawValue)"
        self.init(
            secret.hkdfDerivedSymmetricKey(
                using: SHA256.self,
                salt: [UInt8](),
                sharedInfo: Array(names.utf8) + caller.1.rawRepresentation + target.1.rawRepresentation,
                outputByteCount: 32
            )
        )
    }

    package typealias PublicKey = Curve25519.KeyAgreement.PublicKey

    private init(_ key: SymmetricKey) {
        self.key = key
        authenticator = HMAC(key: key)
    }

    /// A copy that shares no reference count, for another thread.
    package var unshared: CallKey { CallKey(key) }

    /// The code of a request.
    ///
    /// - Parameters:
    ///   - request: The method and the path, each with a space behind it, as a request line begins (RFC 9112 §3).
    ///   - text: The text of the identity.
    package func code(of request: UnsafeRawBufferPointer, by text: UnsafeRawBufferPointer) -> Code {
        var authenticator = authenticator
        authenticator.update(data: request)
        authenticator.update(data: text)
        return Code(bytes: authenticator.finalize())
    }

    func code(of method: String, _ path: String, by text: String) -> Code {
        var message = "\(method) \(path) \(text)"
        return message.withUTF8 { bytes in
            code(of: UnsafeRawBufferPointer(bytes), by: UnsafeRawBufferPointer(start: nil, count: 0))
        }
    }
}
