import Apps
import Authentication
import Contracts
import Hummingbird
import HummingbirdTesting
import Postgres
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import Events

/// Subscribers that refuse events for a while.
@Suite(.database(OutboxWorld.migrations), .timeLimit(.minutes(2))) struct RefusalTests {
    private var database: PostgresClient { TestDatabase.current.client }

    private func expectAllOnceInOrder(_ world: OutboxWorld, stories: Int, steps count: Int) async throws {
        let steps = try await world.steps()
        #expect(steps.count == stories * count)
        for story in 0..<stories {
            #expect(steps.filter { $0.story == "\(story)" }.map(\.number) == Array(1...count))
        }
        #expect(try await world.deliveries() == (0, 0))
    }

    private func publish(stories: Int, steps count: Int, _ world: OutboxWorld) async throws {
        for number in 1...count {
            try await world.database.transaction { transaction in
                let steps = (0..<stories).map { StepTaken(story: "\($0)", number: number) }
                try world.outbox.publish(steps, in: transaction)
            }
        }
    }

    /// A service in front of the subscriber answers with a status that is not the inbox's: an identity that is not
    /// accepted, an address that does not exist yet, a defect, an overload.
    @Test(arguments: [400, 401, 403, 404, 409, 500, 503])
    func answerThatIsNotAboutTheEvent_delaysEvents_andParksNone(status: Int) async throws {
        let refusals = Atomic<Int>(0)
        let isWell = Atomic<Bool>(false)
        try await OutboxWorld.application(database).test(.live) { subscriber in
            let inner = OutboxWorld.at("http://127.0.0.1:\(subscriber.port ?? 0)", to: [StepTaken.self]).client
            try await StubService.run { router in
                router.post("internal/events") { request, _ in
                    guard isWell.load(ordering: .relaxed) else {
                        refusals.add(1, ordering: .relaxed)
                        return HTTPResponse.Status(code: status)
                    }
                    let body = String(buffer: try await request.body.collect(upTo: 4 << 20))
                    try await inner.post(EventPath.path, json: body, repeatable: true)
                    return .noContent
                }
            } _: { address in
                let world = OutboxWorld.at(address, to: [StepTaken.self])
                try await world.withRelays(2, parkAfter: .zero) {
                    try await publish(stories: 5, steps: 4, world)
                    try await eventually("it was refused often") { refusals.load(ordering: .relaxed) > 20 }
                    #expect(try await world.deliveries() == (20, 0))
                    isWell.store(true, ordering: .relaxed)
                    try await world.settled()
                }
                try await expectAllOnceInOrder(world, stories: 5, steps: 4)
            }
        }
    }

    /// The subscriber's database is a standby, or has become one.
    @Test func readOnlyDatabase_delaysEvents_andParksNone() async throws {
        let writes = Atomic<Int>(0)
        let mood: Mood = { _, transaction in
            if writes.wrappingAdd(1, ordering: .relaxed).newValue < 20 {
                try await transaction.execute("SET LOCAL transaction_read_only = on")
            }
        }
        try await OutboxWorld.test(mood: mood) { world in
            try await world.withRelays(parkAfter: .zero) {
                try await publish(stories: 5, steps: 4, world)
                try await world.settled()
            }
            try await expectAllOnceInOrder(world, stories: 5, steps: 4)
        }
    }

    /// A subscriber that is older than its publisher does not know an event; later events of the key wait.
    @Test func unknownEvent_waitsForNewSubscriber_andDelaysOnlyItsKey() async throws {
        let events: [any Event.Type] = [StepTaken.self, StoryWritten.self]
        try await OutboxWorld.application(database, isOld: true).test(.live) { old in
            let world = OutboxWorld.at("http://127.0.0.1:\(old.port ?? 0)", to: events)
            try await world.database.transaction { transaction in
                try world.outbox.publish((0..<300).map { StoryWritten(story: "\($0)") }, in: transaction)
                try world.outbox.publish(StepTaken(story: "0", number: 1), in: transaction)
                try world.outbox.publish(
                    (300..<400).map { StepTaken(story: "\($0)", number: 1) },
                    in: transaction
                )
            }
            try await world.withRelays(parkAfter: .zero) {
                try await eventually("the known events have arrived") { try await world.steps().count == 100 }
                try await eventually("the unknown ones were refused") { try await refused() == 300 }
                // An event is confirmed after it has arrived.
                try await eventually("the known ones are confirmed") { try await world.deliveries() == (301, 0) }
            }
        }
        try await OutboxWorld.application(database).test(.live) { new in
            let world = OutboxWorld.at("http://127.0.0.1:\(new.port ?? 0)", to: events)
            try await world.withRelays(parkAfter: .zero) { try await world.settled() }
            let steps = try await world.steps()
            let story = steps.lastIndex { $0.number < 0 && $0.story.split(separator: " ").contains("0") }
            let step = steps.firstIndex { $0.story == "0" && $0.number == 1 }
            #expect(try #require(story) < #require(step))
            #expect(steps.filter { $0.number < 0 }.reduce(0) { $0 - $1.number } == 300)
            #expect(try await world.deliveries() == (0, 0))
        }
    }

    private func refused() async throws -> Int {
        try await database.one(
            "SELECT count(*) FROM outbox_deliveries WHERE last_error LIKE '%is not subscribed to'"
        ) { try $0.decode(Int.self) }
    }

    @Test func malformedEvent_isParkedADayAfterTheFirstRefusal() async throws {
        let mood: Mood = { step, _ in
            if step.number == 1 { throw Problem(.invalid, message: "This one is poison.") }
        }
        try await OutboxWorld.test(mood: mood) { world in
            try await world.withRelays {
                for number in 1...2 { try await world.publish("a", number) }
                try await eventually("it was refused often") {
                    try await database.one("SELECT max(refusals) FROM outbox_deliveries") {
                        try $0.decode(Int.self)
                    } > 9
                }
                #expect(try await world.deliveries() == (2, 0))
                try await database.execute(
                    "UPDATE outbox_deliveries SET refused_at = now() - interval '25 hours' WHERE refusals > 0"
                )
                try await world.settled()
            }
            #expect(try await world.steps().map(\.number) == [2])
            #expect(try await world.deliveries() == (0, 1))
        }
    }

    @Test(.outbox) func eventParkedByOlderVersion_isDelivered() async throws {
        let world = OutboxWorld.current
        try await world.publish("a", 1)
        try await database.execute(
            "UPDATE outbox_deliveries SET parked_at = now(), refusals = 8, last_error = 'refused'"
        )
        try await world.withRelays {
            try await eventually("it is delivered") { try await world.deliveries() == (0, 0) }
        }
        #expect(try await world.steps().map(\.number) == [1])
    }

    /// Two versions of a publisher, of which one does not know a subscriber.
    @Test(.outbox) func deliveryToUnknownSubscriber_waitsForTheVersionThatKnowsIt() async throws {
        let old = OutboxWorld.current
        let new = OutboxWorld(
            database: database,
            outbox: Outbox(
                subscribers: old.outbox.subscribers + [Subscriber(.chat, to: [StoryWritten.self], client: old.client)]
            ),
            client: old.client
        )
        try await database.transaction { try new.outbox.publish(StoryWritten(story: "a"), in: $0) }
        try await old.publish("a", 1)
        try await database.execute("UPDATE outbox SET created_at = now() - interval '2 days'")
        try await old.withRelays {
            try await eventually("the other event has arrived") { try await old.steps().count == 1 }
            let cleanup = OutboxCleanup(database: database, subscribers: ["seats"])
            try await eventually("only the stray waits") {
                try await cleanup.review() == .init(ages: ["seats": 0], strays: 1, parked: 0)
            }
        }
        #expect(try await old.deliveries() == (1, 0))
        try await new.withRelays { try await new.settled() }
        #expect(try await new.steps().map(\.number) == [1, -1])
    }
}
