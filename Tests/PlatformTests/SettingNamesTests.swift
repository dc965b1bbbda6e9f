import FoundationEssentials
import ServiceKit
import Testing
import Yams

@testable import Auth
@testable import Chat
@testable import Community
@testable import Estate
@testable import Gateway
@testable import Notifications
@testable import Payments
@testable import Sandbox
@testable import Seats
@testable import Workforce

/// Compares the settings that the programs declare with what `docker-compose.yml` passes to them and `.env.example`
/// lists.
@Suite struct SettingNamesTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The image sets these.
    private static let fixed: Set = ["HOST"]

    private static func declarations() throws -> [String: [SettingDeclaration]] {
        [
            "auth": try Settings.declarations { try AuthConfiguration(&$0) },
            "seats": try Settings.declarations { try SeatsConfiguration(&$0) },
            "workforce": try Settings.declarations { try WorkforceConfiguration(&$0) },
            "estate": try Settings.declarations { try EstateConfiguration(&$0) },
            "community": try Settings.declarations { try CommunityConfiguration(&$0) },
            "chat": try Settings.declarations { try ChatConfiguration(&$0) },
            "payments": try Settings.declarations { try PaymentsConfiguration(&$0) },
            "notifications": try Settings.declarations { try NotificationsConfiguration(&$0) },
            "gateway": Settings.declarations { GatewayConfiguration(&$0) },
            "sandbox": Settings.declarations { SandboxConfiguration(&$0) },
        ]
    }

    private static func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: root.appending(path: name)), as: UTF8.self)
    }

    /// The environment of each program in the compose file: values by name, nil for a variable that is passed on.
    private static func compose() throws -> [String: [String: String?]] {
        let document = try #require(Yams.load(yaml: try text("docker-compose.yml")) as? [String: Any])
        let services = try #require(document["services"] as? [String: [String: Any]])
        return services.compactMapValues { service in
            (service["environment"] as? [String: Any])?.mapValues { value in
                let text = "\(value)"
                return text == "<null>" ? nil : text
            }
        }
    }

    /// The variables of `.env.example`, by name; those that may be left out show their default behind a `#`.
    private static func example() throws -> [String: (value: Substring, isOptional: Bool)] {
        let pairs = try text(".env.example").matches(of: /(?m)^(#?)([A-Z][A-Z0-9_]*)=(.*)$/).map {
            (String($0.2), (value: $0.3, isOptional: !$0.1.isEmpty))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    @Test func everySetting_hasAMeaning() throws {
        for (program, settings) in try Self.declarations() {
            #expect(settings.count > 5, "\(program)")
            for setting in settings { #expect(!setting.meaning.isEmpty, "\(program): \(setting.name)") }
        }
    }

    @Test func composeFile_passesEverySetting() throws {
        let compose = try Self.compose()
        for (program, settings) in try Self.declarations() {
            let passed = Set(try #require(compose[program]).keys)
            let missing = Set(settings.map(\.name)).subtracting(passed).subtracting(Self.fixed)
            #expect(missing.sorted() == [], "docker-compose.yml does not pass these to \(program)")
        }
    }

    @Test func composeFile_namesNoUnknownSetting() throws {
        let declarations = try Self.declarations()
        let known = Set(declarations.values.joined().map(\.name))
        for program in declarations.keys {
            let passed = Set(try #require(try Self.compose()[program]).keys)
            #expect(passed.subtracting(known).sorted() == [], "no program reads these, which \(program) is passed")
        }
    }

    @Test func exampleFile_listsWhatTheComposeFileTakes() throws {
        let yaml = try Self.text("docker-compose.yml")
        var taken = Set(yaml.matches(of: /\$\{([A-Z0-9_]+)/).map { String($0.1) })
        for environment in try Self.compose().values {
            for (name, value) in environment where value == nil { taken.insert(name) }
        }
        let listed = Set(try Self.example().keys)
        #expect(taken.subtracting(listed).sorted() == [], ".env.example does not list these")
        #expect(listed.subtracting(taken).sorted() == [], "docker-compose.yml does not take these")
    }

    @Test func exampleFile_showsTheDefaults() throws {
        let example = try Self.example()
        for (program, settings) in try Self.declarations() where program != "sandbox" {
            for setting in settings where !setting.isRequired && !setting.standard.isEmpty {
                guard let shown = example[setting.name], shown.isOptional, !shown.value.isEmpty else { continue }
                #expect(shown.value == setting.standard, "\(program): \(setting.name)")
            }
        }
    }
}
