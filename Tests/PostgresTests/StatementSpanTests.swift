import ServiceKit
import TestKit
import Testing
import Tracing

@testable import Postgres

/// The spans of statements and transactions.
@Suite(.database(), .timeLimit(.minutes(1)))
struct StatementSpanTests {
    private let log = SpanLog()
    private var client: PostgresClient { TestDatabase.current.client }

    private func request(_ body: () async throws -> Void) async throws {
        try await log.recording {
            try await InstrumentationSystem.tracer.withSpan("request", context: .topLevel) { _ in try await body() }
        }
    }

    @Test func statement_hasItsNameAndText_andNoValue() async throws {
        try await request {
            _ = try await client.all("SELECT \("secret of a person")::text, 7") { try $0.decode(String.self, Int.self) }
        }
        let span = try log.span("StatementSpanTests.statement_hasItsNameAndText_andNoValue")
        #expect(log.path(to: span).count == 2)
        #expect(span["db.query.text"] == "SELECT $1::text, 7")
        #expect(span["db.system.name"] == "postgresql" && span["db.response.returned_rows"] == "1")
        #expect(span["madang.wait_us"] != nil)
        #expect(span.kind == .client && !span.isError)
        var names: [String] = []
        span.attributes.forEach { name, value in names.append("\(name)=\(value)") }
        #expect(!names.joined().contains("secret"))
    }

    @Test func transaction_enclosesItsStatements() async throws {
        try await client.execute("CREATE TABLE people (name text PRIMARY KEY)")
        try await request {
            try await client.transaction { transaction in
                _ = try await transaction.run([
                    .execute("INSERT INTO people VALUES (\("Kim"))"), .execute("INSERT INTO people VALUES (\("Lee"))"),
                ])
            }
        }
        let commit = try log.span("COMMIT")
        #expect(log.path(to: commit) == ["request", "transaction", "COMMIT"])
        let insert = try #require(log.spans.first { $0["db.operation.batch.size"] != nil })
        let twice = "INSERT INTO people VALUES ($1); INSERT INTO people VALUES ($1)"
        #expect(insert["db.query.text"]?.hasSuffix(twice) == true)
        #expect(insert.parent == (try log.span("transaction")).context.spanID)
        #expect(try log.span("transaction")["madang.wait_us"] != nil)
    }

    @Test func refusedStatement_hasTheReason_andNoValue() async throws {
        try await client.execute("CREATE TABLE people (name text PRIMARY KEY)")
        try await client.execute("INSERT INTO people VALUES (\("Kim"))")
        _ = try? await log.recording {
            try await InstrumentationSystem.tracer.withSpan("request", context: .topLevel) { _ in
                try await client.execute("INSERT INTO people VALUES (\("Kim"))")
            }
        }
        let span = try #require(log.spans.first { $0.name.hasPrefix("StatementSpanTests") })
        #expect(span.isError)
        #expect(span["db.response.status_code"] == "23505" && span["madang.constraint"] == "people_pkey")
        #expect(span["error.type"] == "refused" && span.events.isEmpty)
        let request = try log.span("request")
        #expect(request.events.map(\.name) == ["exception"] && request.isError)
    }

    @Test func statementsOutsideOfATrace_haveNoSpan() async throws {
        try await log.recording { _ = try await client.execute("SELECT 1") }
        #expect(log.spans.isEmpty)
    }
}
