import Apps
import Authentication
import Contracts
import Events
import Hummingbird
import HummingbirdTesting
import Postgres
import ServiceKit
import Synchronization
import TestKit
import Testing

/// An event of the tests: step `number` of the story `story`.
struct StepTaken: Event {
    static let name = "auth.step-taken"

    var story: String
    var number: Int

    var key: String { story }
}

/// Another event of the tests, which the subscriber handles in batches.
struct StoryWritten: Event {
    static let name = "auth.story-written"

    var story: String

    var key: String { story }
}

/// Runs in the subscribing service before it records a step.
typealias Mood = @Sendable (StepTaken, PostgresTransaction) async throws -> Void

/// A publisher and a subscriber on one database, with the tables of both and `steps` for the recorded steps.
struct OutboxWorld: Fixture {
    static let migrations = [
        Outbox.migration(version: 1),
        Inbox.migration(version: 2),
        Migration(
            version: 3,
            name: "steps",
            sql: Array("CREATE TABLE steps (id bigint GENERATED ALWAYS AS IDENTITY, story text, number int)".utf8)
        ),
        Outbox.retriesMigration(version: 4),
        Inbox.partitionsMigration(version: 5),
    ]

    let database: PostgresClient
    let outbox: Outbox
    /// A client of the subscribing service.
    let client: InternalClient

    /// - Parameter mood: runs before the subscriber records a step.
    static func test(
        _ database: PostgresClient = TestDatabase.current.client,
        mood: @escaping Mood = { _, _ in },
        _ body: @escaping @Sendable (OutboxWorld) async throws -> Void
    ) async throws {
        try await application(database, mood: mood).test(.live) { server in
            let address = "http://127.0.0.1:\(server.port ?? 0)"
            let client = InternalClient(to: .seats, at: [address], keys: .development(.auth))
            let outbox = Outbox(subscribers: [Subscriber(.seats, to: [StepTaken.self], client: client)])
            try await body(OutboxWorld(database: database, outbox: outbox, client: client))
        }
    }

    /// A publisher whose subscriber is at an address.
    static func at(_ address: String, subscriber: ServiceName = .seats, to events: [any Event.Type]) -> OutboxWorld {
        let client = InternalClient(to: subscriber, at: [address], keys: .development(.auth))
        let outbox = Outbox(subscribers: [Subscriber(subscriber, to: events, client: client)])
        return OutboxWorld(database: TestDatabase.current.client, outbox: outbox, client: client)
    }

    /// The subscribing service alone.
    ///
    /// - Parameters:
    ///   - isOld: Whether it subscribes to `StepTaken` only.
    ///   - outbox: What it publishes itself.
    static func application(
        _ database: PostgresClient,
        isOld: Bool = false,
        outbox: Outbox = Outbox(subscribers: []),
        mood: @escaping Mood = { _, _ in }
    ) throws -> some ApplicationProtocol {
        let note = Subscription(to: StepTaken.self) { step, transaction in
            try await mood(step, transaction)
            try await transaction.execute("INSERT INTO steps (story, number) VALUES (\(step.story), \(step.number))")
        }
        // The stories of one batch are one row, whose number is their negative count.
        let noteTogether = Subscription(
            to: StoryWritten.self,
            batch: { events, transaction in
                let stories = events.map(\.story).joined(separator: " ")
                try await transaction.execute("INSERT INTO steps (story, number) VALUES (\(stories), \(-events.count))")
            }
        )
        let inbox = Inbox(
            database: database,
            subscriptions: isOld ? [note] : [note, noteTogether],
            outbox: outbox
        )
        return try ServiceHost.application(
            "seats",
            configuration: HostConfiguration(.seats, port: 0),
            apiDocument: Array("{}".utf8),
            services: [],
            checks: [],
            logger: .quiet,
            prepare: {},
            routes: inbox.add
        )
    }

    func publish(_ story: String, _ number: Int) async throws {
        try await database.transaction { transaction in
            try outbox.publish(StepTaken(story: story, number: number), in: transaction)
        }
    }

    /// Runs relays while `body` runs.
    func withRelays(
        _ count: Int = 1,
        parkAfter: Duration = .seconds(86_400),
        _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
        var policy = OutboxRelay.RetryPolicy()
        policy.parkAfter = parkAfter
        policy.firstPause = .milliseconds(10)
        policy.longestPause = .milliseconds(100)
        policy.lease = .seconds(2)
        policy.sweep = .milliseconds(200)
        policy.cleanup = .milliseconds(200)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                let relay = OutboxRelay(outbox, database: database, policy: policy, logger: .quiet)
                group.addTask { try await relay.run() }
            }
            try await body()
            group.cancelAll()
        }
    }

    /// The steps that the subscriber recorded, in order.
    func steps() async throws -> [StepTaken] {
        try await database.all("SELECT story, number FROM steps ORDER BY id") { row in
            let (story, number) = try row.decode(String.self, Int.self)
            return StepTaken(story: story, number: number)
        }
    }

    /// The numbers of pending and of parked deliveries.
    func deliveries() async throws -> (waiting: Int, parked: Int) {
        try await database.one("SELECT count(*), count(parked_at) FROM outbox_deliveries") { row in
            let (all, parked) = try row.decode(Int.self, Int.self)
            return (all - parked, parked)
        }
    }

    /// Waits until no delivery is pending.
    func settled() async throws {
        while await (try? deliveries().waiting) != 0 { try await Task.sleep(for: .milliseconds(20)) }
    }
}

extension Trait where Self == FixtureTrait<OutboxWorld> {
    static var outbox: Self {
        .fixture { try await OutboxWorld.test(TestDatabase.current.client, mood: { _, _ in }, $0) }
    }
}
