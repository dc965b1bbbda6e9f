package import Contracts
package import Crypto
import Synchronization

/// The keys by which a program calls the services and recognizes its callers.
///
/// Every program has a private key of its own (X25519) and knows all public keys; a stolen key calls in the name of its
/// program only. Each may have several while they are replaced: it signs with the first, and services are called by
/// the first of theirs; the others are accepted.
package struct InternalKeys: Sendable {
    package typealias PrivateKey = Curve25519.KeyAgreement.PrivateKey

    /// The program that has the private key.
    package let program: ProgramName
    /// The keys of calls to services.
    private let outgoing: [ServiceName: CallKey]
    /// The keys of calls to this program, by caller.
    private let incoming: [ProgramName: [CallKey]]

    /// - Parameters:
    ///   - own: The program's private keys; the first one signs.
    ///   - all: The public keys of all programs, with those of the private ones.
    /// - Throws: `InternalKeyFault` if a private key has no public one in the list, or a public one is of no use.
    package init(of program: ProgramName, own: [PrivateKey], all: InternalPublicKeys) throws {
        let known = Set(all.keys(of: program).map(\.rawRepresentation))
        guard let first = own.first, own.allSatisfy({ known.contains($0.publicKey.rawRepresentation) }) else {
            throw InternalKeyFault.unknown(program)
        }
        self.program = program
        outgoing = Dictionary(
            uniqueKeysWithValues: try ServiceName.allCases.map { service in
                let target = ProgramName(service)
                guard let key = all.keys(of: target).first else { throw InternalKeyFault.missing([target]) }
                let secret = try Self.secret(first, key, of: target)
                return (service, CallKey(secret, from: (program, first.publicKey), to: (target, key)))
            }
        )
        var incoming: [ProgramName: [CallKey]] = [:]
        for caller in ProgramName.allCases {
            for key in all.keys(of: caller) {
                for mine in own {
                    let secret = try Self.secret(mine, key, of: caller)
                    let callKey = CallKey(secret, from: (caller, key), to: (program, mine.publicKey))
                    incoming[caller, default: []].append(callKey)
                }
            }
        }
        self.incoming = incoming
    }

    private static func secret(
        _ own: PrivateKey,
        _ other: CallKey.PublicKey,
        of program: ProgramName
    ) throws -> SharedSecret {
        let secret = try? own.sharedSecretFromKeyAgreement(with: other)
        // With a point of small order every key agrees on zero (RFC 7748 §6.1).
        guard let secret, secret.withUnsafeBytes({ $0.contains { $0 != 0 } }) else {
            throw InternalKeyFault.unusable(program)
        }
        return secret
    }

    /// The key for calls of a service.
    package func key(to service: ServiceName) -> CallKey {
        guard let key = outgoing[service] else { preconditionFailure("every service has a key") }
        return key
    }

    func keys(from caller: ProgramName) -> [CallKey] { incoming[caller] ?? [] }
}

extension InternalKeys {
    /// The keys in development, which are publicly known; refused in production.
    package static func development(_ program: ProgramName) -> InternalKeys {
        guard let keys = developmentKeys[program] else { preconditionFailure("every program has a key") }
        return keys
    }

    private static let developmentKeys = Dictionary(
        uniqueKeysWithValues: ProgramName.allCases.map { program in
            let keys = try? InternalKeys(of: program, own: [.development(program)], all: .development)
            guard let keys else { preconditionFailure("development keys agree") }
            return (program, keys)
        }
    )
}

extension Curve25519.KeyAgreement.PrivateKey {
    /// The private key of a program in development: the hash of its name.
    package static func development(_ program: ProgramName) -> Self {
        let hash = SHA256.hash(data: Array("madang development key of \(program.rawValue)".utf8))
        guard let key = try? Self(rawRepresentation: hash) else { preconditionFailure("any 32 bytes are a key") }
        return key
    }

    package static func random() -> Self { Self() }

    /// Whether it is publicly known.
    package var isOfDevelopment: Bool { publicKey.isOfDevelopment }

    /// Private keys in base64url, joined by commas; nil if one is malformed.
    package static func list(_ text: String) -> [Self]? {
        let keys = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            Base64URL.decode(part.utf8).flatMap { try? Self(rawRepresentation: $0) }
        }
        return keys.contains { $0 == nil } ? nil : keys.compactMap(\.self)
    }

    /// The key in base64url.
    package var text: String { Base64URL.encode([UInt8](rawRepresentation)) }
}
