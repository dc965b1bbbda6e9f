import Configuration
import NATS
import Postgres
import ServiceDatabase
import ServiceKit
import TestKit
import Testing

@Suite struct PostgresSettingsTests {
    private static func read(_ values: [String: String]) throws -> PostgresConfiguration {
        let reader = ConfigReader(provider: EnvironmentVariablesProvider(environmentVariables: values))
        return try Settings.read(from: reader) { try PostgresConfiguration(&$0, service: "auth") }
    }

    private static func production(_ url: String, direct: String? = nil) throws -> PostgresConfiguration {
        var values = ["MADANG_ENV": "production", "DATABASE_URL": url]
        values["DATABASE_DIRECT_URL"] = direct
        return try read(values)
    }

    private static let good = "postgres://auth:0123456789abcdef@db/madang"

    static let guessable = [
        "postgres://auth@db/madang", "postgres://auth:@db/madang", "postgres://auth:auth@db/madang",
        "postgres://auth:0123456789abcde@db/madang", "postgres://auth@db/madang?password=short",
        "postgres://auth:%30%31%32%33%34%35%36%37@db/madang",
        "postgres://0123456789abcdef:0123456789abcdef@one:5432,two:5432/madang",
    ]

    @Test(arguments: guessable)
    func production_refusesGuessablePassword(url: String) {
        let sentence = "must be a URL with a password of 16 characters or longer that is not the user's name"
        #expect(throws: SettingsError(problems: ["DATABASE_URL \(sentence)"])) { try Self.production(url) }
        #expect(throws: SettingsError(problems: ["DATABASE_DIRECT_URL \(sentence)"])) {
            try Self.production(Self.good, direct: url)
        }
        #expect(throws: Never.self) { try Self.read(["DATABASE_URL": url, "DATABASE_DIRECT_URL": url]) }
    }

    @Test(arguments: [
        good, "postgres://auth@db/madang?password=0123456789abcdef", "postgres://auth@db/madang?sslcert=/run/auth.crt",
    ])
    func production_acceptsOthers(url: String) throws {
        #expect(try Self.production(url).user == "auth")
        #expect(try Self.production(url, direct: Self.good).user == "auth")
        #expect(try Self.production(url, direct: "").user == "auth")
    }

    @Test(arguments: ["", "postgres://auth:auth@127.0.0.1:5432/madang"])
    func production_requiresOwnURL(url: String) {
        #expect(throws: SettingsError(problems: ["DATABASE_URL must be set"])) { try Self.production(url) }
    }

    @Test func malformedURL_isNamed() {
        #expect(throws: PostgresConfiguration.InvalidURL.self) { try Self.production("auth@db") }
    }

    @Test func announcer_isNOTIFY_unlessAURLNamesAnother() throws {
        #expect(try Self.read([:]).announcer == nil)
        #expect(try Self.read(["ANNOUNCER_URL": ""]).announcer == nil)
        #expect(try Self.read(["ANNOUNCER_URL": "nats://one,two:4223"]).announcer?(.quiet) is NATSAnnouncer)
        let error = #expect(throws: NATSConfiguration.InvalidURL.self) {
            try Self.read(["ANNOUNCER_URL": "nats://user:hunter2@one:x"])
        }
        #expect(error?.description == "the NATS URL has a port that is not a number from 1 to 65535")
    }
}
