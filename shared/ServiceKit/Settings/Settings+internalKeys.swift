package import Authentication
import Configuration
package import Contracts

extension Settings {
    /// The keys of internal calls. In development they are those of development if neither setting has a value.
    ///
    /// - Parameter name: The setting with the private key.
    package mutating func internalKeys(of program: ProgramName, _ name: String = "INTERNAL_KEY") -> InternalKeys {
        let standard = InternalKeys.development(program)
        let own = text(name, "the private key of \(program.rawValue), which signs and checks internal calls")
        let all = text(Self.publicKeys, "the public keys of all programs, as gateway:KEY,auth:KEY,…; the same for all")
        guard environment == .production || own != nil || all != nil else { return standard }
        let (before, privateKeys) = (problems.count, own.flatMap(InternalKeys.PrivateKey.list))
        switch privateKeys {
        case nil where own == nil: report("\(name) must be set, to a private key that `stack init` writes")
        case nil: report("\(name) must be a private key in base64url, or several joined by commas")
        case let keys? where environment == .production && keys.contains(where: \.isOfDevelopment):
            report("\(name) must be another key than that of development; `stack init` writes new ones")
        default: break
        }
        do {
            guard let all else {
                report("\(Self.publicKeys) must be set, to the list that `stack init` writes")
                return standard
            }
            let publicKeys = try InternalPublicKeys(all)
            let known = publicKeys.programsInDevelopment.map(\.rawValue)
            if environment == .production, !known.isEmpty {
                let programs = known.joined(separator: ", ")
                report("\(Self.publicKeys) must have other keys than those of development, of \(programs)")
            }
            guard problems.count == before, let privateKeys else { return standard }
            return try InternalKeys(of: program, own: privateKeys, all: publicKeys)
        } catch InternalKeyFault.unknown {
            report(
                "\(name) must have its public key under \(program.rawValue) in \(Self.publicKeys); "
                    + "`stack keys add` writes both"
            )
        } catch {
            report("\(Self.publicKeys) \(error)")
        }
        return standard
    }

    private static let publicKeys = "INTERNAL_PUBLIC_KEYS"

    /// A value without a default; nil if it is empty.
    private mutating func text(_ name: String, _ meaning: String) -> String? {
        declare(SettingDeclaration(name, meaning, default: "", isRequired: true))
        return reader.string(forKey: Self.key(name), isSecret: true).flatMap { $0.isEmpty ? nil : $0 }
    }
}
