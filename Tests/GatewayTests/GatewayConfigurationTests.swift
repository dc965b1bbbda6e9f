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

    private static let production = [
        "MADANG_ENV": "production", "MADANG_INTERNAL_SECRET": "0123456789abcdef0123456789abcdef",
        "ANLAKA_KEYS": "a,b", "CULTURE_KEYS": "c",
    ]

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
