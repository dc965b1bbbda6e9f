import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Events

/// A service is restored to an earlier state than another one, and meets its events again.
@Suite(.database(OutboxWorld.migrations), .outbox, .timeLimit(.minutes(1))) struct OutboxReplayTests {
    private var world: OutboxWorld { .current }
    private var database: PostgresClient { TestDatabase.current.client }

    private static let subscriber = ["inbox", "steps"]
    private static let publisher = ["outbox", "outbox_deliveries"]

    private func keep(_ tables: [String]) async throws {
        for table in tables {
            try await database.execute("CREATE TABLE \(identifier: "kept_\(table)") AS TABLE \(identifier: table)")
        }
    }

    /// Gives tables the rows that they had when they were kept.
    private func restore(_ tables: [String]) async throws {
        try await database.transaction { transaction in
            for table in tables {
                try await transaction.execute("TRUNCATE \(identifier: table) CASCADE")
                try await transaction.execute(
                    "INSERT INTO \(identifier: table) OVERRIDING SYSTEM VALUE TABLE \(identifier: "kept_\(table)")"
                )
            }
        }
    }

    /// - Returns: The responses to all calls by which an operator replays.
    private func replay(
        since: Date,
        to subscriber: ServiceName = .seats,
        as caller: ProgramName = .stack
    ) async throws -> [TestResponse] {
        let application = try OutboxWorld.application(database, outbox: world.outbox)
        return try await application.test(.router) { router in
            let stack = ServiceClient(router, to: .seats, process: caller)
            var answers: [TestResponse] = []
            var last: Int64? = 0
            while let number = last {
                let json = """
                    {"subscriber":"\(subscriber.rawValue)","since":\(since.timeIntervalSince1970),"after":\(number),"by":"kim"}
                    """
                let answer = try await stack.send(.post, OutboxAPI.Replay.path, json: json)
                answers.append(answer)
                last = answer.status == .ok ? try answer.json(OutboxAPI.Replay.Page.self).last : nil
            }
            return answers
        }
    }

    private func deliveries(_ answers: [TestResponse]) throws -> Int {
        try answers.reduce(0) { try $0 + $1.json(OutboxAPI.Replay.Page.self).deliveries }
    }

    @Test func restoredSubscriber_losesAndDoublesNothing() async throws {
        let start = Date.now.addingTimeInterval(-1)
        try await world.withRelays {
            for number in 1...3 { try await world.publish("a", number) }
            try await world.settled()
        }
        try await keep(Self.subscriber)
        try await world.withRelays {
            for number in 4...6 { try await world.publish("a", number) }
            try await world.publish("b", 1)
            try await world.settled()
        }
        #expect(try await world.steps().count == 7)
        try await restore(Self.subscriber)
        #expect(try await world.steps().map(\.number) == [1, 2, 3])
        // It is published while the subscriber is away, and waits for the earlier ones of its key.
        try await world.publish("a", 7)
        #expect(try deliveries(try await replay(since: start)) == 7)
        #expect(try deliveries(try await replay(since: start)) == 0, "all of them wait already")
        try await world.withRelays(2) { try await world.settled() }
        let steps = try await world.steps()
        #expect(steps.filter { $0.story == "a" }.map(\.number) == Array(1...7))
        #expect(steps.filter { $0.story == "b" }.map(\.number) == [1])
    }

    @Test func restoredPublisher_doublesNothing() async throws {
        try await world.publish("a", 1)
        try await world.publish("a", 2)
        try await keep(Self.publisher)
        try await world.withRelays {
            try await world.publish("a", 3)
            try await world.settled()
        }
        try await restore(Self.publisher)
        try await database.execute("SELECT setval('outbox_id_seq', 2)")
        #expect(try await world.deliveries().waiting == 2)
        // It has the number of the lost event, and another id.
        try await world.publish("a", 4)
        try await world.withRelays { try await world.settled() }
        #expect(try await world.steps().map(\.number) == [1, 2, 3, 4])
    }

    @Test func replay_takesOnlyWhatTheSubscriberHears() async throws {
        try await world.withRelays {
            try await world.publish("a", 1)
            try await world.settled()
        }
        try await database.execute("INSERT INTO outbox (name, key, body) VALUES ('auth.unheard-of', 'a', '{}')")
        #expect(try deliveries(try await replay(since: .now.addingTimeInterval(-60), to: .chat)) == 0)
        #expect(try deliveries(try await replay(since: .now.addingTimeInterval(60))) == 0)
        #expect(try deliveries(try await replay(since: .now.addingTimeInterval(-60))) == 1)
    }

    @Test func replay_isPaged() async throws {
        let count = OutboxEntryStore.replayed * 2 + 10
        try await database.execute(
            """
            INSERT INTO outbox (name, key, body)
            SELECT \(StepTaken.name), n::text, jsonb_build_object('story', n::text, 'number', n)
            FROM generate_series(1, \(Int64(count))) AS n
            """
        )
        let answers = try await replay(since: .now.addingTimeInterval(-60))
        #expect(answers.count == 4)
        #expect(try deliveries(answers) == count)
    }

    @Test func replay_isRefused() async throws {
        let old = try await replay(since: .now.addingTimeInterval(-7 * 86_400))
        #expect(old.map(\.status) == [.badRequest])
        #expect(old.first?.text.contains("Events are kept for a week; choose a later time.") == true)
        #expect(try await replay(since: .now, as: .chat).map(\.status) == [.forbidden])
    }
}
