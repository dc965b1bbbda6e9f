import Postgres
import TestKit
import Testing

@Suite(.database(), .timeLimit(.minutes(1))) struct StatementTests {
    private var client: PostgresClient { TestDatabase.current.client }

    private func makeTable() async throws {
        try await client.execute("CREATE TABLE notes (id int PRIMARY KEY, text text)")
    }

    private var count: Statement<[Int]> { .all("SELECT count(*) FROM notes") { try $0.decode(Int.self) } }

    private func insert(_ id: Int) -> Statement<Int> { .execute("INSERT INTO notes VALUES (\(id), 'text')") }

    @Test func statements_seeEarlierOnesOfTheirGroup() async throws {
        try await makeTable()
        let text = Statement<String?>.optional("SELECT text FROM notes WHERE id = 2") { try $0.decode(String.self) }
        let answers = try await client.transaction { transaction in
            let first = try await transaction.run(count, insert(1), count)
            let second = try await transaction.run(text, insert(2), text, count)
            return (first, second)
        }
        #expect(answers.0 == ([0], 1, [1]))
        #expect(answers.1 == (nil, 1, "text", [2]))
        #expect(try await client.run(count) == [2])
    }

    @Test func statementsAfterFailure_areSkipped() async throws {
        try await makeTable()
        try await client.execute("CREATE SEQUENCE runs")
        let counted = Statement<Int>.execute("SELECT nextval('runs')")
        let error = await #expect(throws: PostgresError.self) {
            try await client.transaction { transaction in _ = try await transaction.run(insert(1), insert(1), counted) }
        }
        #expect(error?.sqlState == .uniqueViolation)
        #expect(try await client.run(count) == [0])
        let runs = try await client.one("SELECT is_called FROM runs") { try $0.decode(Bool.self) }
        #expect(!runs)
    }

    @Test func unencodableStatement_sendsNone() async throws {
        try await makeTable()
        let bad = Statement<Int>.execute("INSERT INTO notes VALUES (3, \("a\u{0}b"))")
        await #expect(throws: PostgresError.self) {
            try await client.transaction { transaction in _ = try await transaction.run(insert(1), bad) }
        }
        #expect(try await client.run(count) == [0])
    }
}
