import Testing

@testable import Postgres

@Suite struct ConnectionURLTests {
    @Test func url_withEveryPart_isParsed() throws {
        let url = try ConnectionURL("postgres://auth:s%40cr%2Ft%25@db.example:6432/madang?sslmode=require")
        #expect(url.user == "auth")
        #expect(url.password == "s@cr/t%")
        #expect(url.servers.map(\.description) == ["db.example:6432"])
        #expect(url.database == "madang")
        #expect(url.options == ["sslmode": "require"])
    }

    @Test func url_defaultsSocketsAndIPv6_areParsed() throws {
        func servers(_ url: String) throws -> [String] { try ConnectionURL(url).servers.map(\.description) }
        let short = try ConnectionURL("postgresql://me@localhost")
        #expect((short.database, short.password) == ("me", ""))
        #expect(try servers("postgresql://me@localhost") == ["localhost:5432"])
        #expect(try servers("postgres://me@/db?host=/run/post%20gres&port=5433") == ["/run/post gres (port 5433)"])
        #expect(try servers("postgres://me@:5434/db?host=/run") == ["/run (port 5434)"])
        #expect(try servers("postgres://me:a:b@[::1]:7000/db") == ["::1:7000"])
        #expect(try ConnectionURL("postgres://me:a:b@[::1]:7000/db").password == "a:b")
        #expect(try servers("postgres://me@[fe80::1]/db") == ["fe80::1:5432"])
    }

    @Test func severalServers_areTriedForWrites() throws {
        let url = try ConnectionURL("postgres://me@one:6001,[::2]:6002,three/db")
        #expect(url.servers.map(\.description) == ["one:6001", "::2:6002", "three:5432"])
        #expect(url.options == ["target_session_attrs": "read-write"])
        let any = try ConnectionURL("postgres://me@/db?host=one,two&port=6001,6002&target_session_attrs=any")
        #expect(any.servers.map(\.description) == ["one:6001", "two:6002"])
        #expect(any.options == ["target_session_attrs": "any"])
        let configuration = try PostgresConfiguration(
            url: "postgres://me@one:6001,%2Frun:6002/db",
            applicationName: "x"
        )
        let parameters = configuration.parameters(addresses: [["::1", "127.0.0.1"], []], for: .sharing)
        #expect(parameters["host"] == "one,one,/run")
        #expect(parameters["hostaddr"] == "::1,127.0.0.1,")
        #expect(parameters["port"] == "6001,6001,6002")
    }

    @Test(arguments: [
        ("mysql://a@b/c", "must have the form"),
        ("postgres://b/c", "names no user"),
        ("postgres://a@/c", "names no host"),
        ("postgres://a@b:0/c", "port"),
        ("postgres://a@b:x/c", "port"),
        ("postgres://a@b:99999/c", "port"),
        ("postgres://a:50%@b/c", "% in its password"),
        ("postgres://a@b/c%zz", "% in its database"),
        ("postgres://a@b/c%00", "not UTF-8"),
        ("postgres://a@b/c%ff", "not UTF-8"),
        ("postgres://a@[::1]x/c", "IPv6"),
        ("postgres://a@b,c:x/d", "port"),
        ("postgres://a@b,:5432/d", "names no host"),
        ("postgres://a@b,c/d?port=1,2,3", "has 3 ports for 2 hosts"),
        ("postgres://a@b/c?schema=x", "unknown parameter: schema"),
        ("", "must have the form"),
    ])
    func invalidURL_throwsWithReason(url: String, expected: String) {
        let error = #expect(throws: PostgresConfiguration.InvalidURL.self) { try ConnectionURL(url) }
        #expect(error?.description.contains(expected) == true, "\(error?.description ?? "")")
    }

    @Test func password_isNotInMessages() throws {
        let error = #expect(throws: PostgresConfiguration.InvalidURL.self) {
            try ConnectionURL("postgres://a:hunter2%@b:x/c")
        }
        #expect(error?.description.contains("hunter2") == false)
        let configuration = try PostgresConfiguration(url: "postgres://a:hunter2@b/c", applicationName: "x")
        #expect(configuration.place == "database c on b:5432 as a")
    }

    @Test func schema_isQuoted() throws {
        var configuration = try PostgresConfiguration(url: "postgres://a@b/c", schema: "o d\"d\\", applicationName: "x")
        configuration.idleTransactionTimeout = .seconds(1.5)
        configuration.statementTimeout = .seconds(2)
        let parameters = configuration.parameters(addresses: [["::1", "127.0.0.1"]], for: .sharing)
        #expect(
            parameters["options"] == """
                -c idle_in_transaction_session_timeout=1500 -c jit=off -c lock_timeout=2000 \
                -c random_page_cost=0.1 -c search_path="o\\ d""d\\\\",postgis,public \
                -c statement_timeout=2000
                """
        )
        #expect(parameters["host"] == "b,b")
        #expect(parameters["hostaddr"] == "::1,127.0.0.1")
    }
}
