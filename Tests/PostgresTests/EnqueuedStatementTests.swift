import Synchronization
import TestKit
import Testing

@testable import Postgres

/// Statements that are sent with the next ones of their transaction, or with its COMMIT.
@Suite(.database(), .timeLimit(.minutes(5)))
struct EnqueuedStatementTests {
    private struct Refusal: Error, Equatable {}

    private var client: PostgresClient { TestDatabase.current.client }

    private func numbers(_ querying: some Querying) async throws -> [Int] {
        try await querying.all("SELECT n FROM numbers ORDER BY n") { try $0.decode(Int.self) }
    }

    private func insert(_ number: Int) -> Statement<Int> { .execute("INSERT INTO numbers VALUES (\(number))") }

    init() async throws { try await client.execute("CREATE TABLE numbers (n int PRIMARY KEY)") }

    @Test func statements_runWithTheNext_orWithCommit() async throws {
        try await client.transaction { transaction in
            try transaction.enqueue([insert(1), insert(2)])
            #expect(try await numbers(transaction) == [1, 2])
            try transaction.enqueue([insert(3)])
        }
        try await client.transaction { try $0.enqueue([insert(4)]) }
        #expect(try await numbers(client) == [1, 2, 3, 4])
    }

    @Test func bodyThatThrows_leavesNothing() async throws {
        await #expect(throws: Refusal.self) {
            try await client.transaction { transaction in
                try transaction.enqueue([insert(1)])
                throw Refusal()
            }
        }
        #expect(try await numbers(client) == [])
    }

    @Test func statementThatFailsWithCommit_rollsBack_andLeavesTheConnectionUsable() async throws {
        try await client.execute("INSERT INTO numbers VALUES (7)")
        for isUsedBefore in [false, true] {
            let error = await #expect(throws: PostgresError.self) {
                try await client.transaction { transaction in
                    if isUsedBefore { try await transaction.execute("INSERT INTO numbers VALUES (1)") }
                    try transaction.enqueue([insert(2), insert(7), insert(3)])
                }
            }
            #expect(error?.violates("numbers_pkey") == true)
            #expect(try await numbers(client) == [7])
        }
        for number in 10..<30 { try await client.transaction { try $0.enqueue([insert(number)]) } }
        #expect(try await numbers(client).count == 21)
    }

    @Test func statementThatFailsWithTheNext_failsIt() async throws {
        try await client.execute("INSERT INTO numbers VALUES (7)")
        let error = await #expect(throws: PostgresError.self) {
            try await client.transaction { transaction in
                try transaction.enqueue([insert(7)])
                _ = try? await transaction.execute("INSERT INTO numbers VALUES (1)")
                // What follows a failure must not hide its reason.
                try transaction.enqueue([insert(2)])
            }
        }
        #expect(error?.violates("numbers_pkey") == true)
        #expect(try await numbers(client) == [7])
    }

    @Test func transactionThatLosesWithCommit_isRepeated() async throws {
        try await client.execute("INSERT INTO numbers VALUES (0)")
        let attempts = try await client.transaction(isolation: .repeatableRead) { transaction in
            let number = try await numbers(transaction)[0]
            if number == 0 { try await client.execute("UPDATE numbers SET n = 5") }
            try transaction.enqueue([.execute("UPDATE numbers SET n = \(number + 1)")])
            return number
        }
        #expect(attempts == 5)
        #expect(try await numbers(client) == [6])
    }

    /// A statement whose result is announced.
    private func inserted(_ number: Int) -> Statement<Int> {
        .one("INSERT INTO numbers VALUES (\(number)) RETURNING n") { try $0.decode(Int.self) }
    }

    @Test func results_areAnnouncedAfterTheCommitOnly() async throws {
        try await client.execute("INSERT INTO numbers VALUES (7)")
        let channel = "numbers \(UInt64.random(in: 0 ... .max))"
        var heard = client.announcer.notifications(on: channel).makeAsyncIterator()
        #expect(await heard.next() == .listening)
        let announcement = { @Sendable (number: Int) in Announcement("\(number)", on: channel) }
        await #expect(throws: Refusal.self) {
            try await client.transaction { transaction in
                try transaction.enqueue(inserted(1), announcing: announcement)
                try await transaction.execute("SELECT 1")
                throw Refusal()
            }
        }
        await #expect(throws: PostgresError.self) {
            try await client.transaction { transaction in
                try transaction.enqueue(inserted(2), announcing: announcement)
                try transaction.enqueue([insert(7)])
            }
        }
        try await client.transaction { transaction in
            try transaction.enqueue(inserted(3), announcing: announcement)
            #expect(try await numbers(transaction) == [3, 7])
            try transaction.enqueue(inserted(4), announcing: announcement)
            try transaction.enqueue([insert(5)])
        }
        #expect(await heard.next() == .message("3"))
        #expect(await heard.next() == .message("4"))
    }

    @Test(arguments: [true, false])
    func failedCheck_isThrownByTheNextStatement_orTheTransaction(isFollowed: Bool) async throws {
        await #expect(throws: Refusal()) {
            try await client.transaction { transaction in
                try transaction.enqueue([insert(1)])
                try transaction.enqueue(inserted(2), checking: { if $0 == 2 { throw Refusal() } })
                if isFollowed {
                    _ = try await transaction.execute("INSERT INTO numbers VALUES (3)")
                    #expect(Bool(false), "the statement has thrown")
                }
            }
        }
        #expect(try await numbers(client) == [])
        try await client.transaction { transaction in
            try transaction.enqueue(inserted(4), checking: { if $0 == 2 { throw Refusal() } })
            if isFollowed { #expect(try await numbers(transaction) == [4]) }
        }
        #expect(try await numbers(client) == [4])
    }

    @Test func failedCheckThatTheBodyIgnores_rollsBack() async throws {
        await #expect(throws: Refusal()) {
            try await client.transaction { transaction in
                try transaction.enqueue(inserted(1), checking: { _ in throw Refusal() })
                _ = try? await numbers(transaction)
                try transaction.enqueue([insert(2)])
            }
        }
        #expect(try await numbers(client) == [])
    }

    @Test func checkOfATransactionThatLoses_isMadeWhenItIsRepeated() async throws {
        try await client.execute("INSERT INTO numbers VALUES (0)")
        let checked = Mutex<[Int]>([])
        try await client.transaction(isolation: .repeatableRead) { transaction in
            let number = try await numbers(transaction)[0]
            if number == 0 { try await client.execute("UPDATE numbers SET n = 5") }
            let update = Statement.one("UPDATE numbers SET n = \(number + 1) RETURNING n") { try $0.decode(Int.self) }
            try transaction.enqueue(update, checking: { number in checked.withLock { $0.append(number) } })
        }
        #expect(checked.withLock(\.self) == [6])
        #expect(try await numbers(client) == [6])
    }

    @Test func transactionThatHasEnded_takesNone() async throws {
        let escaped = try await client.transaction { $0 }
        let error = #expect(throws: PostgresError.self) { try escaped.enqueue([insert(1)]) }
        #expect(error?.kind == .closed)
    }

    @Test func invalidParameter_isRefusedAtOnce() async throws {
        try await client.transaction { transaction in
            let error = #expect(throws: PostgresError.self) {
                try transaction.enqueue([.execute("SELECT \("a\0b")")])
            }
            #expect(error?.kind == .unencodable)
        }
    }
}
