import Configuration
import Contracts
import Logging
import ServiceKit
import Testing

@Suite struct SettingsTests {
    private func reader(_ values: [String: String]) -> ConfigReader {
        ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values))
    }

    @Test func missingSettings_useDefaults() throws {
        let host = try Settings.read(from: reader([:])) { HostConfiguration(.auth, &$0, port: 8081) }
        #expect(host.port == 8081)
        #expect(host.host == "127.0.0.1")
        #expect(host.environment == .development)
    }

    @Test func settings_areReadFromEnvironment() throws {
        let values = ["PORT": "9000", "HOST": "0.0.0.0", "REQUEST_DEADLINE": "1.5", "LOG_LEVEL": "debug"]
        let host = try Settings.read(from: reader(values)) { HostConfiguration(.auth, &$0, port: 8081) }
        #expect(host.port == 9000)
        #expect(host.host == "0.0.0.0")
        #expect(host.requestDeadline == .milliseconds(1500))
        #expect(host.logLevel == .debug)
    }

    @Test func invalidSettings_areAllNamed() {
        let values = [
            "PORT": "80a", "LOG_LEVEL": "loud", "REQUEST_DEADLINE": "-1", "MADANG_ENV": "prod", "SEATS_URL": "seats:1",
        ]
        let error = #expect(throws: SettingsError.self) {
            try Settings.read(from: reader(values)) { settings in
                _ = settings.urls("SEATS_URL", default: "http://127.0.0.1:8082", "seats")
                return HostConfiguration(.auth, &settings, port: 8081)
            }
        }
        for name in values.keys { #expect(error?.description.contains(name) == true) }
    }

    @Test(arguments: [nil, "7"])
    func optionalNumber_isRead(value: String?) throws {
        #expect(try lifetime(value) == value.flatMap { Int($0) })
    }

    @Test(arguments: ["", "x", "0", "11"])
    func invalidOptionalNumber_isNamed(value: String) {
        let error = #expect(throws: SettingsError.self) { try lifetime(value) }
        #expect(error?.problems == ["LIFETIME must be a whole number from 1 to 10"])
    }

    private func lifetime(_ value: String?) throws -> Int? {
        var values: [String: String] = [:]
        values["LIFETIME"] = value
        return try Settings.read(from: reader(values)) { $0.optionalInt("LIFETIME", in: 1...10, "seconds") }
    }

    @Test func production_refusesSandboxURL() throws {
        let production = ["MADANG_ENV": "production"]
        #expect(throws: SettingsError.self) {
            try Settings.read(from: reader(production)) {
                $0.outside("KAKAO_URL", sandbox: "http://127.0.0.1:8090/kakao", "Kakao")
            }
        }
        let values = production.merging(["KAKAO_URL": "https://kapi.kakao.com/"]) { $1 }
        let url = try Settings.read(from: reader(values)) {
            $0.outside("KAKAO_URL", sandbox: "http://127.0.0.1", "Kakao")
        }
        #expect(url == "https://kapi.kakao.com")
    }

    @Test func production_requiresOwnDatabase() throws {
        let development = "postgres://auth:auth@127.0.0.1/madang"
        for given in [nil, "", development] {
            var values = ["MADANG_ENV": "production"]
            values["DATABASE_URL"] = given
            #expect(throws: SettingsError.self) {
                try Settings.read(from: reader(values)) {
                    $0.credential("DATABASE_URL", development: development, "the database")
                }
            }
        }
        let values = ["MADANG_ENV": "production", "DATABASE_URL": "postgres://a:b@db/m"]
        let url = try Settings.read(from: reader(values)) {
            $0.credential("DATABASE_URL", development: development, "the database")
        }
        #expect(url == "postgres://a:b@db/m")
    }

    @Test func urlList_isParsed() throws {
        let values = ["SEATS_URL": "http://10.0.0.1:8082, http://10.0.0.2:8082/"]
        let urls = try Settings.read(from: reader(values)) {
            $0.urls("SEATS_URL", default: "http://127.0.0.1:8082", "seats")
        }
        #expect(urls == ["http://10.0.0.1:8082", "http://10.0.0.2:8082"])
    }
}
