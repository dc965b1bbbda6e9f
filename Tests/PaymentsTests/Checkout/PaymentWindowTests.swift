import Configuration
import ServiceKit
import Testing

@testable import Payments

@Suite struct PaymentWindowTests {
    @Test(arguments: [
        ("https://cdn.iamport.kr/v1/iamport.js", "https://cdn.iamport.kr"),
        ("http://127.0.0.1:8090/portone/v1/iamport.js", "http://127.0.0.1:8090"),
        ("https://shop.example", "https://shop.example"), ("https://shop.example?x=/", "https://shop.example"),
        ("http://[::1]:90/x", "http://[::1]:90"),
    ])
    func scriptURL_yieldsOrigin(_ url: String, _ origin: String) {
        #expect(PaymentWindow.origin(of: url) == origin)
    }

    @Test(arguments: [
        "", "iamport.js", "https://", "https:///x", "javascript:alert(1)", "ftp://shop.example/x",
        "https://a.example; script-src *", "https://a.example 'unsafe-inline'/x", "https://*/x", "https://a,b/x",
        "https://me@shop.example/x",
    ])
    func invalidScriptURL_hasNoOrigin(_ url: String) {
        #expect(PaymentWindow.origin(of: url) == nil)
    }

    @Test func portOneScript_allowsProviderOrigins() {
        #expect(PaymentWindow().origins == ["http://127.0.0.1:8090"])
        let real = PaymentWindow(script: "https://cdn.iamport.kr/v1/iamport.js").origins
        #expect(real.first == "https://cdn.iamport.kr")
        #expect(real.contains("https://*.iamport.kr") && real.contains("https://*.portone.io"))
        #expect(real.contains("https://*.inicis.com"))
        #expect(PaymentWindow(script: "https://notiamport.kr/x.js").origins == ["https://notiamport.kr"])
    }

    private static func read(_ values: [String: String]) throws -> PaymentsConfiguration {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values))
        return try Settings.read(from: reader) { try PaymentsConfiguration(&$0) }
    }

    @Test func paymentWindowSettings_areRead() throws {
        #expect(try Self.read([:]).payWindow == PaymentWindow())
        let configuration = try Self.read([
            "PORTONE_SCRIPT_URL": "https://cdn.iamport.kr/v1/iamport.js", "PORTONE_STORE_CODE": "imp12345678",
            "PORTONE_PG": "kcp.A52CY", "PUBLIC_URL": "https://api.example.com/",
        ])
        #expect(configuration.payWindow.script == "https://cdn.iamport.kr/v1/iamport.js")
        #expect(configuration.payWindow.store == "imp12345678")
        #expect(configuration.payWindow.provider == "kcp.A52CY")
        #expect(configuration.publicURL == "https://api.example.com")
    }

    @Test(arguments: [
        ["PORTONE_SCRIPT_URL": "https://a.example; script-src *"], ["PORTONE_SCRIPT_URL": "iamport.js"],
        ["PORTONE_PG": ""], ["MADANG_ENV": "production"],
        ["MADANG_ENV": "production", "PORTONE_STORE_CODE": PaymentWindow.developmentStore],
    ])
    func invalidSettings_areNamedInError(_ values: [String: String]) {
        let error = #expect(throws: SettingsError.self) { try Self.read(values) }
        let names = values["MADANG_ENV"] == nil ? Array(values.keys) : ["PORTONE_SCRIPT_URL", "PORTONE_STORE_CODE"]
        for name in names { #expect(error?.description.contains(name) == true, "\(name)") }
    }
}
