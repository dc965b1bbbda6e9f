package import Contracts
import Crypto
import FoundationEssentials

/// The public keys of all programs: `gateway:KEY,auth:KEY,…`, each in base64url. Several of one program are several
/// entries; it is called by the first.
package struct InternalPublicKeys: Sendable {
    package private(set) var entries: [(program: ProgramName, key: CallKey.PublicKey)]

    package init(_ entries: [(program: ProgramName, key: CallKey.PublicKey)]) {
        self.entries = entries
    }

    /// Those of private keys.
    package init(of keys: [(program: ProgramName, key: InternalKeys.PrivateKey)]) {
        self.init(keys.map { ($0.program, $0.key.publicKey) })
    }

    /// - Throws: `InternalKeyFault` for an entry that is malformed, a key that is listed twice, and a program without a
    ///   key.
    package init(_ text: String) throws {
        entries = try text.split(separator: ",", omittingEmptySubsequences: false).enumerated().map { index, entry in
            let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
            guard parts.count == 2, let program = ProgramName(rawValue: String(parts[0])),
                let key = Base64URL.decode(parts[1].utf8).flatMap({ try? CallKey.PublicKey(rawRepresentation: $0) })
            else { throw InternalKeyFault.malformed(entry: index + 1) }
            return (program, key)
        }
        guard Set(entries.map(\.key.rawRepresentation)).count == entries.count else { throw InternalKeyFault.repeated }
        let missing = ProgramName.allCases.filter { keys(of: $0).isEmpty }
        guard missing.isEmpty else { throw InternalKeyFault.missing(missing) }
    }

    /// Those of the private keys in development.
    package static let development = InternalPublicKeys(of: ProgramName.allCases.map { ($0, .development($0)) })

    package func keys(of program: ProgramName) -> [CallKey.PublicKey] {
        entries.filter { $0.program == program }.map(\.key)
    }

    /// The programs with a key of development, which is publicly known.
    package var programsInDevelopment: [ProgramName] {
        entries.filter { $0.key.isOfDevelopment }.map(\.program)
    }

    package var text: String {
        entries.map { "\($0.program.rawValue):\(Base64URL.encode([UInt8]($0.key.rawRepresentation)))" }
            .joined(separator: ",")
    }
}

extension Curve25519.KeyAgreement.PublicKey {
    /// Whether the private key is publicly known.
    var isOfDevelopment: Bool {
        InternalPublicKeys.development.entries.contains { $0.key.rawRepresentation == rawRepresentation }
    }
}

/// Why keys cannot be used. The description completes a sentence that begins with the name of the setting.
package enum InternalKeyFault: Error, Equatable, CustomStringConvertible {
    /// The number of the entry, counted from 1; its text may be a secret that was put there by mistake.
    case malformed(entry: Int)
    case repeated
    case missing([ProgramName])
    case unusable(ProgramName)
    case unknown(ProgramName)

    package var description: String {
        switch self {
        case .malformed(let entry): "has an entry, number \(entry), that is not PROGRAM:KEY"
        case .repeated: "has a key twice"
        case .missing(let programs): "has no key of \(programs.map(\.rawValue).joined(separator: ", "))"
        case .unusable(let program): "has a key of \(program.rawValue) on which no secret can be agreed"
        case .unknown(let program): "has not the public key of each private key of \(program.rawValue)"
        }
    }
}
