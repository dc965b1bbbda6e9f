import Testing

@testable import Postgres
@testable import StackKit

@Suite struct ServerURLTests {
    @Test func parts_areKept() throws {
        let url = try ServerURL("postgres://admin:a%40b@10.0.0.7:6432/madang?sslmode=require")
        #expect(url.text == "postgres://admin:a%40b@/madang?host=10.0.0.7&port=6432&sslmode=require")
        #expect(url.plainPassword == "a@b" && url.place == "10.0.0.7:6432")
        #expect(try ServerURL(url.text) == url)
        #expect(try ServerURL("postgresql://admin@[::1]/").text == "postgres://admin@/madang?host=::1&port=5432")
        let socket = try ServerURL("postgres://postgres@/madang?host=/run/postgres&port=5433")
        #expect(socket.place == "/run/postgres (port 5433)" && socket.password == nil)
    }

    /// The client takes it for the servers in this order.
    @Test func twoServers_areTriedInOrder() throws {
        let socket = try ServerURL("postgres://chat@/madang?host=/run/postgres&port=5433")
        let both = try socket.followed(by: ServerURL("postgres://chat:secret@10.0.0.7/madang"))
        let parsed = try ConnectionURL(both.text)
        #expect(parsed.servers.map(\.description) == ["/run/postgres (port 5433)", "10.0.0.7:5432"])
        #expect(parsed.password == "secret" && parsed.options["target_session_attrs"] == "read-write")
    }

    @Test func writersOfSeveralServers_lookForThePrimary() throws {
        let one = try ServerURL("postgres://admin:secret@10.0.0.7")
        #expect(one.acceptingWrites == one)
        let two = try ServerURL("postgres://admin:secret@10.0.0.7,10.0.0.8?connect_timeout=9").acceptingWrites
        #expect(two.options == ["connect_timeout=9", "target_session_attrs=read-write"])
    }

    @Test(arguments: ["", "http://a@b", "postgres://10.0.0.7/madang", "postgres://admin@/madang", "postgres://a@b:c/d"])
    func otherURLs_areRefused(url: String) {
        #expect(throws: StackError.self) { try ServerURL(url) }
    }
}
