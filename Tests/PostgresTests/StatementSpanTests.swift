import CoreMetrics
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
            try await InstrumentationSystem.tracer.withSpan("request", context: .topLevel, ofKind: .server) { _ in
                try await body()
            }
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
        #expect(!span.isError)
        #expect(span["db.response.status_code"] == "23505" && span["madang.constraint"] == "people_pkey")
        #expect(span["error.type"] == "refused" && span.events.isEmpty)
        let request = try log.span("request")
        #expect(request.events.map(\.name) == ["exception"] && request.isError)
    }

    @Test func wrongStatement_isAnError() async throws {
        _ = try? await request { try await client.execute("SELECT nothing FROM nowhere") }
        let span = try #require(log.spans.first { $0.name.hasPrefix("StatementSpanTests") })
        #expect(span.isError && span["db.response.status_code"] == "42P01")
    }

    @Test func refusalOfTheCallersOwn_isNoErrorOfItsTransaction() async throws {
        struct Refusal: Error {}
        _ = try? await request {
            try await client.transaction { transaction in
                try await transaction.execute("SELECT 1")
                throw Refusal()
            }
        }
        let span = try log.span("transaction")
        #expect(!span.isError && span["error.type"] == "Refusal")
    }

    /// - Parameter attempts: How many attempts of the transaction fail by a conflict.
    private func conflict(in attempts: Int) async throws {
        var attempt = 0
        _ = try? await request {
            try await client.transaction { transaction in
                attempt += 1
                guard attempt <= attempts else { return }
                try await transaction.execute("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$")
            }
        }
    }

    @Test func conflict_isNoErrorWhenTheTransactionIsRepeated() async throws {
        try await conflict(in: 1)
        let transactions = log.spans.filter { $0.name == "transaction" }
        #expect(transactions.map { $0["db.response.status_code"] } == ["40001", nil])
        #expect(log.spans.filter { $0["db.response.status_code"] == "40001" }.count == 2)
        #expect(log.spans.filter(\.isError).isEmpty)
    }

    @Test func conflictOfTheLastAttempt_isAnError() async throws {
        try await conflict(in: .max)
        let transactions = log.spans.filter { $0.name == "transaction" }
        #expect(transactions.count == client.configuration.transactionAttempts && transactions.last?.isError == true)
        #expect(transactions.dropLast().filter(\.isError).isEmpty)
    }

    @Test func expectedRefusals_areNoFailuresOfTheDatabase() async throws {
        struct Refusal: Error {}
        let registry = MetricsRegistry()
        let configuration = TestDatabase.current.configuration
        let client = withMetricsFactory(registry) { PostgresClient(configuration, logger: .quiet) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await client.run() }
            defer { group.cancelAll() }
            try await client.execute("CREATE TABLE people (name text PRIMARY KEY)")
            try await client.execute("INSERT INTO people VALUES ('Kim')")
            await #expect(throws: PostgresError.self) { try await client.execute("INSERT INTO people VALUES ('Kim')") }
            await #expect(throws: Refusal.self) { try await client.transaction { _ in throw Refusal() } }
            #expect(registry.exposition().contains("postgres_statement_failures_total 0"))
            await #expect(throws: PostgresError.self) { try await client.execute("SELECT nothing FROM nowhere") }
            #expect(registry.exposition().contains("postgres_statement_failures_total 1"))
        }
    }

    @Test func statementsOutsideOfATrace_haveNoSpan() async throws {
        try await log.recording { _ = try await client.execute("SELECT 1") }
        #expect(log.spans.isEmpty)
    }
}
