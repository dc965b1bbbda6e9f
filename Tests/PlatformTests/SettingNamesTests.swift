import Contracts
import ServiceKit
import Testing

/// Compares the settings that the programs declare with what `docker-compose.yml` passes to them and `.env.example`
/// lists.
@Suite struct SettingNamesTests {
    /// The image sets these.
    private static let fixed: Set = ["HOST"]

    /// The containers that run no program of Madang, with what they are passed. The first creates the roles of the services
    /// with their passwords, the second asks clients for them. The last one is for operators' commands.
    private static let others: [String: Set<String>] = [
        "postgres": passwords.union(["MADANG_ENV", "POSTGRES_DB", "POSTGRES_PASSWORD"]),
        "pgbouncer": passwords.union(["POSTGRES_HOST", "POOL_SIZE"]),
        "caddy": ["CADDY_DOMAINS"],
        "grafana": ["GF_SECURITY_ADMIN_PASSWORD"],
        "stack": Set(ServiceName.allCases.map { "\($0.rawValue.uppercased())_URL" })
            .union(["MADANG_ENV", "STACK_INTERNAL_KEY", "INTERNAL_PUBLIC_KEYS"]),
    ]
    private static let passwords = Set(ServiceName.allCases.map { "\($0.rawValue.uppercased())_DATABASE_PASSWORD" })

    /// The variables of `.env.example`, by name; those that may be left out show their default behind a `#`.
    private static func example() throws -> [String: (value: Substring, isOptional: Bool)] {
        let pairs = try Repository.text(".env.example").matches(of: /(?m)^(#?)([A-Z][A-Z0-9_]*)=(.*)$/).map {
            (String($0.2), (value: $0.3, isOptional: !$0.1.isEmpty))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    @Test func everySetting_hasAMeaning() throws {
        for (program, settings) in try ProgramSettings.declarations() {
            #expect(settings.count > 5, "\(program)")
            for setting in settings { #expect(!setting.meaning.isEmpty, "\(program): \(setting.name)") }
        }
    }

    @Test func composeFile_passesEachProgramItsSettingsOnly() throws {
        var expected = Self.others
        for (program, settings) in try ProgramSettings.declarations() {
            expected[program] = Set(settings.map(\.name)).subtracting(Self.fixed)
        }
        let passed = try ComposeFile().environments.mapValues { Set($0.keys) }
        #expect(passed.keys.sorted() == expected.keys.sorted())
        for (container, expected) in expected {
            let passed = passed[container] ?? []
            #expect(expected.subtracting(passed).sorted() == [], "\(container) is not passed these")
            #expect(passed.subtracting(expected).sorted() == [], "\(container) is passed these, which it does not read")
        }
    }

    @Test func composeFile_passesNoPasswordOfAnotherRole() throws {
        for (container, environment) in try ComposeFile().environments where Self.others[container] == nil {
            let text = environment.values.compactMap(\.self).joined(separator: " ")
            let passwords = Set(text.matches(of: /[A-Z]+_DATABASE_PASSWORD/).map { String($0.output) })
            let own = "\(container.uppercased())_DATABASE_PASSWORD"
            #expect(passwords == (Self.passwords.contains(own) ? [own] : []), "\(container)")
        }
    }

    @Test func composeFile_passesNoKeyOfAnotherProgram() throws {
        for (container, environment) in try ComposeFile().environments {
            let texts = environment.map { "\($0.key): \($0.value ?? "")" }.joined(separator: " ")
            let keys = Set(texts.matches(of: /[A-Z]+_INTERNAL_KEY/).map { String($0.output) })
            let isProgram = ProgramName(rawValue: container) != nil
            #expect(keys == (isProgram ? ["\(container.uppercased())_INTERNAL_KEY"] : []), "\(container)")
        }
    }

    @Test func exampleFile_listsWhatTheComposeFileTakes() throws {
        let compose = try ComposeFile()
        var taken = Set(compose.text.matches(of: /\$\{([A-Z0-9_]+)/).map { String($0.1) })
        for environment in compose.environments.values {
            for (name, value) in environment where value == nil { taken.insert(name) }
        }
        let listed = Set(try Self.example().keys)
        #expect(taken.subtracting(listed).sorted() == [], ".env.example does not list these")
        #expect(listed.subtracting(taken).sorted() == [], "docker-compose.yml does not take these")
    }

    @Test func exampleFile_showsTheDefaults() throws {
        let example = try Self.example()
        for (program, settings) in try ProgramSettings.declarations() where program != "sandbox" {
            for setting in settings where !setting.isRequired && !setting.standard.isEmpty {
                guard let shown = example[setting.name], shown.isOptional, !shown.value.isEmpty else { continue }
                #expect(shown.value == setting.standard, "\(program): \(setting.name)")
            }
        }
    }
}
