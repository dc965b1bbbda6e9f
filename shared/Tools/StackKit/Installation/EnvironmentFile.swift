import Contracts
import Crypto
import FoundationEssentials
import Glibc
import SystemPackage

/// `.env`, the settings of a deployment by compose. It is made of the template `.env.example`, which has comments and
/// settings; a setting behind a `#` may be left out.
package struct EnvironmentFile: Sendable {
    private var lines: [Line]

    private enum Line {
        case comment(String)
        case setting(Setting)
        case other(String)
    }

    private struct Setting {
        var name: String
        /// As written in the file, with quotes if it needs them.
        var value: String
        var isOptional: Bool

        var isMissing: Bool { value.isEmpty && !isOptional }
    }

    /// A setting that has no value yet.
    package struct Missing: Sendable, Equatable {
        package var name: String
        /// What the template says about it and the missing settings beside it.
        package var explanation: String
    }

    package init(template: String) {
        lines = template.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if let parts = line.wholeMatch(of: /(#?)([A-Z][A-Z0-9_]*)=(.*)/) {
                .setting(Setting(name: String(parts.2), value: String(parts.3), isOptional: !parts.1.isEmpty))
            } else if line.hasPrefix("# ") {
                .comment(String(line.dropFirst(2)))
            } else {
                .other(String(line))
            }
        }
    }

    /// The settings without a value, except those that may be left out; in the order of the template.
    package var missing: [Missing] {
        var missing: [Missing] = []
        var explanation: [String] = []
        var isInComment = false
        for line in lines {
            switch line {
            case .comment(let text):
                explanation = (isInComment ? explanation : []) + [text]
                isInComment = true
                continue
            case .setting(let setting) where setting.isMissing:
                missing.append(Missing(name: setting.name, explanation: explanation.joined(separator: "\n")))
            case .setting, .other:
                explanation = []
            }
            isInComment = false
        }
        return missing
    }

    /// Sets a value; the ends of its lines are written as `\n`. An empty value changes nothing.
    ///
    /// - Throws: `StackError` if the template does not have the setting, or if the file cannot hold the value.
    package mutating func set(_ name: String, to value: String) throws {
        let index = lines.firstIndex { if case .setting(let setting) = $0 { setting.name == name } else { false } }
        guard let index else { throw StackError("there is no setting named \(name); .env.example lists all") }
        let value = try Self.written(value, of: name)
        guard !value.isEmpty else { return }
        lines[index] = .setting(Setting(name: name, value: value, isOptional: false))
    }

    /// A value without its quotes; nil for a setting that the template does not have, or that has no value.
    package func value(of name: String) -> String? {
        for case .setting(let setting) in lines
        where setting.name == name && !setting.value.isEmpty && !setting.isOptional {
            return setting.value.filter { $0 != "'" }
        }
        return nil
    }

    /// A value as compose reads it: in single quotes, in which no character but these has a meaning.
    private static func written(_ value: String, of name: String) throws -> String {
        let line = value.split(whereSeparator: \.isNewline).joined(separator: "\\n")
        guard line.wholeMatch(of: /[A-Za-z0-9_.,:;\/@%+=*-]*/) == nil else { return line }
        guard !line.contains("'"), !line.hasSuffix("\\"), line.unicodeScalars.allSatisfy({ $0.value >= 32 }) else {
            throw StackError("\(name) has a ', a control character, or a \\ at its end, which .env cannot hold")
        }
        return "'\(line)'"
    }

    /// The secrets that only Madang's programs know, or that the apps are built with.
    private static let ownSecrets = Set(
        [
            "AUTH_KEY_SECRET", "ESTATE_POSITION_SECRET", "POSTGRES_PASSWORD", "ANLAKA_KEYS", "CULTURE_KEYS",
        ] + ServiceName.allCases.map { "\($0.rawValue.uppercased())_DATABASE_PASSWORD" }
    )

    /// Sets each of Madang's own secrets that is missing to 256 random bits, in hexadecimal digits, and the missing keys of
    /// internal calls.
    package mutating func generateSecrets() throws {
        for name in missing.map(\.name) where Self.ownSecrets.contains(name) {
            let bytes = SymmetricKey(size: .bits256).withUnsafeBytes { Array($0) }
            try set(name, to: bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
        }
        guard missing.contains(where: { $0.name == InternalKeyRing.publicKeys }) else { return }
        try InternalKeyRing(completing: self).write(to: &self)
    }

    /// The text of the file. A setting without a value is a comment.
    package var text: String {
        let texts = lines.map { line in
            switch line {
            case .comment(let text): "# \(text)"
            case .setting(let setting):
                "\(setting.isOptional || setting.isMissing ? "#" : "")\(setting.name)=\(setting.value)"
            case .other(let text): text
            }
        }
        return texts.joined(separator: "\n")
    }

    /// Creates the file, readable by its owner only.
    ///
    /// - Throws: `StackError` if it cannot be written, or if there is one.
    package func create(at path: String) throws {
        do {
            let file = try FileDescriptor.open(
                FilePath(path),
                .writeOnly,
                options: [.create, .exclusiveCreate, .closeOnExec],
                permissions: .ownerReadWrite
            )
            do {
                _ = try file.closeAfter { try file.writeAll(text.utf8) }
            } catch {
                try? FileManager.default.removeItem(atPath: path)
                throw error
            }
        } catch Errno.fileExists {
            throw Self.exists(path)
        } catch let error as Errno {
            throw StackError("\(path) cannot be written: \(error)")
        }
    }

    /// Writes the text in place of an existing file, readable by its owner only.
    ///
    /// - Throws: `StackError` if it cannot be written.
    package func replace(at path: String) throws {
        let draft = "\(path).new"
        try create(at: draft)
        guard rename(draft, path) == 0 else {
            try? FileManager.default.removeItem(atPath: draft)
            throw StackError("\(path) cannot be replaced: \(Errno(rawValue: errno))")
        }
    }

    package static func exists(_ path: String) -> StackError {
        StackError("\(path) exists and is left as it is; edit it, or move it away to have a new one")
    }
}
