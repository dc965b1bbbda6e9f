import Configuration
import ServiceKit
import Testing

@testable import Sandbox

@Suite struct SandboxConfigurationTests {
    private static func read(_ values: [String: String]) throws -> SandboxConfiguration {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values))
        return try Settings.read(from: reader) { SandboxConfiguration(&$0) }
    }

    @Test func configuration_withoutSettings_hasDevelopmentDefaults() throws {
        let configuration = try Self.read([:])
        #expect(configuration.portOneKey == "madang-development-portone-key")
        #expect(configuration.portOneSecret == "madang-development-portone-secret")
        #expect(configuration.portOneWebhookURL == "http://127.0.0.1:8080/notices/portone")
        #expect(configuration.portOneWebhookPause == .seconds(60))
    }

    @Test(arguments: ["https://shop.example/hook", ""])
    func webhookSettings_areRead(url: String) throws {
        let configuration = try Self.read([
            "PORTONE_KEY": "key", "PORTONE_SECRET": "secret", "PORTONE_WEBHOOK_URL": url,
            "PORTONE_WEBHOOK_PAUSE": "0.5",
        ])
        #expect(configuration.portOneKey == "key")
        #expect(configuration.portOneSecret == "secret")
        #expect(configuration.portOneWebhookURL == url)
        #expect(configuration.portOneWebhookPause == .milliseconds(500))
    }

    @Test(arguments: [("PORTONE_WEBHOOK_URL", "shop.example"), ("PORTONE_WEBHOOK_PAUSE", "0"), ("PORTONE_KEY", "")])
    func invalidSetting_isNamed(name: String, value: String) {
        let error = #expect(throws: SettingsError.self) { try Self.read([name: value]) }
        #expect(error?.description.contains(name) == true)
    }
}
