import Authentication
package import Contracts

/// The private keys of internal calls of all programs, as `.env` has them; and how they are replaced while calls go on.
///
/// Each step is complete when all programs have been started again with it: a second key that is accepted (`add`), the
/// second in use (`use`), the first one gone (`drop`). Programs of the step before understand those of the step after.
package struct InternalKeyRing: Sendable {
    /// The setting with the public keys.
    package static let publicKeys = "INTERNAL_PUBLIC_KEYS"

    /// The setting with the private keys of a program.
    package static func setting(of program: ProgramName) -> String { "\(program.rawValue.uppercased())_INTERNAL_KEY" }

    /// The private keys of each program; the first one is in use.
    private var keys: [ProgramName: [InternalKeys.PrivateKey]]

    /// - Throws: `StackError` if a program has no key, or one that cannot be read.
    package init(_ file: EnvironmentFile) throws {
        try self.init(file) { program in
            throw StackError("there is no \(Self.setting(of: program)); `stack init` writes a new file with all keys")
        }
    }

    /// The keys of a file, and new ones for the programs without one.
    ///
    /// - Throws: `StackError` if a key cannot be read.
    init(completing file: EnvironmentFile) throws {
        try self.init(file) { _ in [.random()] }
    }

    private init(
        _ file: EnvironmentFile,
        otherwise: (ProgramName) throws -> [InternalKeys.PrivateKey]
    ) throws {
        keys = [:]
        for program in ProgramName.allCases {
            guard let text = file.value(of: Self.setting(of: program)) else {
                keys[program] = try otherwise(program)
                continue
            }
            guard let list = InternalKeys.PrivateKey.list(text) else {
                throw StackError("\(Self.setting(of: program)) is no private key in base64url")
            }
            keys[program] = list
        }
    }

    /// Writes the private keys and the list of public ones.
    package func write(to file: inout EnvironmentFile) throws {
        for program in ProgramName.allCases {
            let text = self[program].map(\.text).joined(separator: ",")
            try file.set(Self.setting(of: program), to: text)
        }
        let entries = ProgramName.allCases.flatMap { program in self[program].map { (program, $0) } }
        try file.set(Self.publicKeys, to: InternalPublicKeys(of: entries).text)
    }

    private subscript(program: ProgramName) -> [InternalKeys.PrivateKey] { keys[program] ?? [] }

    // MARK: Steps

    /// Gives programs a second key, which is accepted and not used yet.
    ///
    /// - Throws: `StackError` if one has two.
    package mutating func add(to programs: [ProgramName]) throws {
        for program in programs {
            guard self[program].count == 1 else {
                throw StackError("\(program) has two keys; go on with `stack keys use` or `stack keys drop`")
            }
            keys[program, default: []].append(.random())
        }
    }

    /// Puts the second key of programs to use; the other one is still accepted.
    ///
    /// - Throws: `StackError` if one has no second key.
    package mutating func use(in programs: [ProgramName]) throws {
        for program in programs {
            try requireTwo(program)
            keys[program]?.reverse()
        }
    }

    /// Removes the key of programs that is not in use.
    ///
    /// - Throws: `StackError` if one has no second key.
    package mutating func drop(from programs: [ProgramName]) throws {
        for program in programs {
            try requireTwo(program)
            keys[program]?.removeLast()
        }
    }

    private func requireTwo(_ program: ProgramName) throws {
        guard self[program].count == 2 else { throw StackError("\(program) has one key; begin with `stack keys add`") }
    }

    /// A line about the keys of a program, by the beginnings of its public keys.
    package func line(of program: ProgramName) -> String {
        let names = InternalPublicKeys(of: self[program].map { (program, $0) }).text.split(separator: ",").map {
            $0.split(separator: ":")[1].prefix(8)
        }
        let others = names.dropFirst().map { ", accepts \($0)" }.joined()
        return "\(program.rawValue): uses \(names.first ?? "none")\(others)"
    }
}
