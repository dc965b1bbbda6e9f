import Testing

@testable import NATS

@Suite struct NATSConfigurationTests {
    private static func hosts(_ url: String) throws -> [String] {
        try NATSConfiguration(url: url).hosts.map(\.description)
    }

    @Test func url_withEveryPart_isParsed() throws {
        let url =
            "tls://us%40er:s%40cr%2Ft%25@one.example:4223,[::1]:5000,10.0.0.1/?cluster=c%20d&prefix=my_1&ca=/run/ca.pem"
        let configuration = try NATSConfiguration(url: url)
        #expect(configuration.hosts.map(\.description) == ["one.example:4223", "[::1]:5000", "10.0.0.1:4222"])
        #expect(configuration.hosts[1].name == "::1")
        #expect(configuration.credentials == .password(user: "us@er", password: "s@cr/t%"))
        #expect(configuration.requiresTLS)
        #expect(configuration.cluster == "c d")
        #expect(configuration.prefix == "my_1")
        #expect(configuration.authorities == "/run/ca.pem")
    }

    @Test func url_shortForms_areParsed() throws {
        let short = try NATSConfiguration(url: "nats://localhost")
        #expect(short.hosts == [.init(name: "localhost", port: 4222)])
        #expect(short.credentials == .none)
        #expect(!short.requiresTLS)
        #expect((short.cluster, short.prefix) == (nil, "madang"))
        #expect(try NATSConfiguration(url: "nats://s3cr%3At@a").credentials == .token("s3cr:t"))
        #expect(try NATSConfiguration(url: "nats://a:b:c@d").credentials == .password(user: "a", password: "b:c"))
        #expect(try Self.hosts("nats://[fe80::1]") == ["[fe80::1]:4222"])
    }

    static let unclear = [
        ("", "must have the form"), ("localhost:4222", "must have the form"), ("http://a", "must have the form"),
        ("nats://", "empty host"), ("nats://a,", "empty host"), ("nats://,a", "empty host"),
        ("nats://:4222", "empty host"),
        ("nats://a:0", "port"), ("nats://a:65536", "port"), ("nats://a:", "port"), ("nats://a:+1", "port"),
        ("nats://a:x", "port"), ("nats://a/b", "has a /"), ("nats://a,nats://b", "has a /"), ("nats://a#b", "has a #"),
        ("nats://::1", "without brackets"), ("nats://[::1", "without a ]"), ("nats://[a]", "malformed IPv6"),
        ("nats://[::1]x", "malformed IPv6"), ("nats://[127.0.0.1]", "malformed IPv6"), ("nats://a b", "malformed host"),
        ("nats://a%2eb", "malformed host"), ("nats://@a", "without a user"), ("nats://u:@a", "empty password"),
        ("nats://:p@a", "without a user"), ("nats://u:50%@a", "% in its password"), ("nats://%zz@a", "% in its user"),
        ("nats://%+1@a", "% in its user"), ("nats://u:%ff@a", "password that is not UTF-8"),
        ("nats://u:%0a@a", "password that is not UTF-8"), ("nats://a,b,a:4222", "names a:4222 twice"),
        ("nats://a?", "unknown parameter"), ("nats://a?x=1", "unknown parameter: x"),
        ("nats://a?cluster=", "empty parameter: cluster"), ("nats://a?cluster=a&cluster=b", "cluster twice"),
        ("nats://a?prefix=a.b", "prefix with other characters"),
        ("nats://a?prefix=%3e", "prefix with other characters"),
        ("nats://a?cluster=%f", "% in its parameter cluster"),
    ]

    @Test(arguments: unclear)
    func url_unclear_isRefusedWithASentence(url: String, problem: String) {
        do throws(NATSConfiguration.InvalidURL) {
            _ = try NATSConfiguration(url: url)
            Issue.record("accepted")
        } catch {
            #expect(error.description.hasPrefix("the NATS URL "))
            #expect(error.description.contains(problem))
        }
    }

    @Test func refusal_doesNotShowThePassword() {
        let error = #expect(throws: NATSConfiguration.InvalidURL.self) {
            try NATSConfiguration(url: "nats://user:hunter2@a:x")
        }
        #expect(error?.description.contains("hunter2") == false)
    }
}
