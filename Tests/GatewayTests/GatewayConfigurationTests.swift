import Authentication
import Configuration
import Contracts
import ServiceKit
import Testing

@testable import Gateway

@Suite struct GatewayConfigurationTests {
    private static func read(_ values: [String: String]) throws -> GatewayConfiguration {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values))
        return try Settings.read(from: reader) { GatewayConfiguration(&$0) }
    }

    private static let production: [String: String] = {
        let keys = ProgramName.allCases.map { ($0, InternalKeys.PrivateKey.random()) }
        return [
            "MADANG_ENV": "production", "ANLAKA_KEYS": "a,b", "CULTURE_KEYS": "c",
            "INTERNAL_KEY": keys.first { $0.0 == .gateway }?.1.text ?? "",
            "INTERNAL_PUBLIC_KEYS": InternalPublicKeys(of: keys).text,
        ]
    }()

    @Test func development_hasKeys() throws {
        #expect(try Self.read([:]).appKeys == ["anlaka-dev-key": .anlaka, "culture-dev-key": .culture])
    }

    @Test func production_takesSeveralKeys() throws {
        #expect(try Self.read(Self.production).appKeys == ["a": .anlaka, "b": .anlaka, "c": .culture])
    }

    @Test(arguments: ["ANLAKA_KEYS", "CULTURE_KEYS"], [nil, "", " , ", "a,anlaka-dev-key,culture-dev-key"])
    func productionWithoutKeys_isRefused(setting: String, value: String?) {
        var values = Self.production
        values[setting] = value
        let error = #expect(throws: SettingsError.self) { try Self.read(values) }
        #expect(error?.description == "cannot start: \(setting) must be set")
    }
}
