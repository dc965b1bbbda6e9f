import TestKit
import Testing

@testable import Postgres

/// Reads of several tasks, which are sent without a sync point for each of them.
@Suite(.database(), .timeLimit(.minutes(1)))
struct SharedGroupTests {
    /// The outcomes of statements that are submitted in one round of the loop.
    @PostgresLoop
    private func outcomes(of statements: [SQL]) async throws -> [Result<String, PostgresError>] {
        let connector = PostgresConnector(configuration: TestDatabase.current.configuration)
        let connection = try await connector.connect(for: .sharing)
        defer { connection.close() }
        let submissions = statements.map { Submission(.one($0), to: connection) }
        for submission in submissions { connection.submit(submission) }
        var outcomes: [Result<String, PostgresError>] = []
        for (submission, statement) in zip(submissions, statements) {
            do {
                let result = try #require(await submission.answers.value().first)
                outcomes.append(.success(try result.one(of: statement) { try $0.decode() }))
            } catch let error as PostgresError {
                outcomes.append(.failure(error))
            }
        }
        #expect(connection.isClean)
        return outcomes
    }

    @Test func statementsOfOneRound_shareTransactions() async throws {
        let times = try await outcomes(of: Array(repeating: "SELECT now()::text", count: 16)).map { try $0.get() }
        #expect(times.count == 16)
        #expect(Set(times).count <= 2, "groups of eight")
        #expect(times == times.sorted())
    }

    /// The server skips the statements after the failed one, which are sent again.
    @Test(arguments: 0..<16)
    func failure_isOfItsStatementOnly(_ failing: Int) async throws {
        let statements: [SQL] = (0..<16).map { "SELECT (60 / \($0 - failing))::text" }
        for (index, outcome) in try await outcomes(of: statements).enumerated() {
            switch outcome {
            case .success(let text): #expect(index != failing && text == "\(60 / (index - failing))")
            case .failure(let error): #expect(index == failing && error.sqlState?.rawValue == "22012")
            }
        }
    }

    @Test func statementsThatCannotBePrepared_failAlone() async throws {
        let statements: [SQL] = (0..<16).map { $0.isMultiple(of: 3) ? "SELECT missing" : "SELECT \("\($0)")" }
        for (index, outcome) in try await outcomes(of: statements).enumerated() {
            switch outcome {
            case .success(let text): #expect(!index.isMultiple(of: 3) && text == "\(index)")
            case .failure(let error): #expect(index.isMultiple(of: 3) && error.sqlState?.rawValue == "42703")
            }
        }
    }

    @Test @PostgresLoop func cancelledCaller_leavesTheOthersTheirResults() async throws {
        let connector = PostgresConnector(configuration: TestDatabase.current.configuration)
        let connection = try await connector.connect(for: .sharing)
        defer { connection.close() }
        let statements: [SQL] = (0..<8).map { "SELECT \("\($0)") FROM pg_sleep(0.01)" }
        let submissions = statements.map { Submission(.one($0), to: connection) }
        for submission in submissions { connection.submit(submission) }
        let cancelled = Task { _ = try await submissions[3].answers.value() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        for index in [0, 1, 2, 4, 5, 6, 7] {
            let result = try #require(await submissions[index].answers.value().first)
            #expect(try result.one(of: statements[index]) { try $0.decode(String.self) } == "\(index)")
        }
        #expect(connection.isClean)
    }

    /// None of the callers waits for ever, and each learns that it may ask again.
    @Test @PostgresLoop func endOfSession_isToldToEachCaller() async throws {
        let connector = PostgresConnector(configuration: TestDatabase.current.configuration)
        let connection = try await connector.connect(for: .sharing)
        defer { connection.close() }
        let backend = try #require(connection.processID)
        let submissions = (0..<16).map { _ in Submission(.one("SELECT pg_sleep(60)"), to: connection) }
        for submission in submissions { connection.submit(submission) }
        #expect(connection.inFlight == 16)
        try await TestDatabase.current.client.execute("SELECT pg_terminate_backend(\(backend))")
        for submission in submissions {
            let error = await #expect(throws: PostgresError.self) { _ = try await submission.answers.value() }
            #expect(error?.kind == .sessionEnded)
        }
        let late = Submission(.one("SELECT 1"), to: connection)
        connection.submit(late)
        await #expect(throws: PostgresError.self) { _ = try await late.answers.value() }
    }
}
