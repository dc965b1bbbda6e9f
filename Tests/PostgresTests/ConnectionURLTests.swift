import Testing

@testable import Postgres

@Suite struct ConnectionURLTests {
    @Test func url_withEveryPart_isParsed() throws {
        let url = try ConnectionURL("postgres://auth:s%40cr%2Ft%25@db.example:6432/madang?sslmode=require")
        #expect(url.user == "auth")
        #expect(url.password == "s@cr/t%")
        #expect(url.host == "db.example")
        #expect(url.port == 6432)
        #expect(url.database == "madang")
        #expect(url.options == ["sslmode": "require"])
    }

    @Test func url_defaultsSocketsAndIPv6_areParsed() throws {
        let short = try ConnectionURL("postgresql://me@localhost")
        #expect((short.port, short.database, short.password) == (5432, "me", ""))
        let socket = try ConnectionURL("postgres://me@/db?host=/run/post%20gres&port=5433")
        #expect((socket.host, socket.port, socket.database) == ("/run/post gres", 5433, "db"))
        let six = try ConnectionURL("postgres://me:a:b@[::1]:7000/db")
        #expect((six.host, six.port, six.password) == ("::1", 7000, "a:b"))
        #expect(try ConnectionURL("postgres://me@[fe80::1]/db").host == "fe80::1")
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
        let parameters = configuration.parameters(addresses: ["::1", "127.0.0.1"], statementTimeout: .seconds(2))
        #expect(
            parameters["options"] == """
                -c idle_in_transaction_session_timeout=1500 -c jit=off -c search_path="o\\ d""d\\\\",postgis,public -c statement_timeout=2000
                """
        )
        #expect(parameters["host"] == "b,b")
        #expect(parameters["hostaddr"] == "::1,127.0.0.1")
    }
}
