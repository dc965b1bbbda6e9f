import Logging
import Postgres
import TestSupport
import Testing

@Suite(.database(), .timeLimit(.minutes(5)))
struct PostgresClientTests {
    private var client: PostgresClient { TestDatabase.current.client }

    @Test func runsStatementsAndDecodesRows() async throws {
        try await client.execute("CREATE TABLE people (id bigint PRIMARY KEY, name text NOT NULL, age int)")
        let inserted = try await client.execute(
            "INSERT INTO people VALUES (\(Int64(1)), \("Kim"), \(34)), (2, \("Lee"), \(nil as Int?))"
        )
        #expect(inserted == 2)
        let people = try await client.all("SELECT id, name, age FROM people ORDER BY id") {
            try $0.decode(Int64.self, String.self, Int?.self)
        }
        #expect(people.map(\.0) == [1, 2])
        #expect(people.map(\.1) == ["Kim", "Lee"])
        #expect(people.map(\.2) == [34, nil])
        let name: String = try await client.one("SELECT name FROM people WHERE id = \(2)") { try $0.decode() }
        #expect(name == "Lee")
        let (id, age): (Int64, Int?) = try await client.one("SELECT id, age FROM people WHERE id = 1") {
            try $0.decode()
        }
        #expect((id, age) == (1, 34))
        #expect(try await client.optional("SELECT id FROM people WHERE id = 3") { try $0.decode(Int.self) } == nil)
    }
}
