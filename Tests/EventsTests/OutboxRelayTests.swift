import Apps
import Authentication
import Contracts
import Postgres
import PostgresServer
import ServiceKit
import Synchronization
import TestKit
import Testing

@testable import Events

@Suite(.database(OutboxWorld.migrations), .timeLimit(.minutes(2))) struct OutboxRelayTests {
    private var world: OutboxWorld { .current }

    private struct Abandoned: Error {}

    @Test(.outbox) func relay_deliversCommittedEventsOnly() async throws {
        try await world.withRelays {
            try await world.publish("a", 1)
            try? await world.database.transaction { transaction in
                try world.outbox.publish(StepTaken(story: "a", number: 2), in: transaction)
                throw Abandoned()
            }
            try await world.publish("a", 3)
            try await world.settled()
        }
        #expect(try await world.steps().map(\.number) == [1, 3])
    }

    @Test func eventWithoutSubscriber_isNotStored() async throws {
        let database = TestDatabase.current.client
        try await database.transaction { transaction in
            try Outbox(subscribers: []).publish(StepTaken(story: "a", number: 1), in: transaction)
        }
        #expect(try await database.one("SELECT count(*) FROM outbox") { try $0.decode(Int.self) } == 0)
    }

    @Test(.outbox) func unconfirmedDelivery_isRepeatedWithoutSecondEffect() async throws {
        try await world.publish("a", 1)
        let store = DeliveryStore(database: world.database)
        let taken = try await store.take(.fresh, to: "seats", limit: 10, for: .milliseconds(50)).deliveries
        let delivery = try #require(taken.first)
        let event = #"{"id":"\#(delivery.id)","name":"\#(delivery.name)","body":\#(delivery.body)}"#
        try await world.client.post(EventPath.path, json: event, repeatable: true)
        #expect(try await world.steps().count == 1)
        #expect(try await world.deliveries().waiting == 1)

        try await world.withRelays { try await world.settled() }
        #expect(try await world.steps().count == 1)
    }

    @Test(.outbox) func leasedDelivery_isNotTakenAgain() async throws {
        for number in 1...3 { try await world.publish("a", number) }
        try await world.publish("b", 1)
        let store = DeliveryStore(database: world.database)
        let first = try await store.take(.fresh, to: "seats", limit: 10, for: .seconds(60))
        #expect(Set(first.deliveries.map(\.body)).count == 2)
        #expect(first.postponed == 2)
        #expect(try await store.take(.fresh, to: "seats", limit: 10, for: .seconds(60)).deliveries.isEmpty)
    }

    @Test func failedTransaction_isDeliveredAgain() async throws {
        let deaths = Atomic<Int>(0)
        let mood: Mood = { step, transaction in
            try await transaction.execute("INSERT INTO steps (story, number) VALUES ('lost', \(step.number))")
            if deaths.wrappingAdd(1, ordering: .relaxed).newValue <= 3 { throw Abandoned() }
            try await transaction.execute("DELETE FROM steps WHERE story = 'lost'")
        }
        try await OutboxWorld.test(mood: mood) { world in
            try await world.withRelays {
                try await world.publish("a", 1)
                try await world.settled()
            }
            #expect(try await world.steps().map(\.story) == ["a"])
            #expect(deaths.load(ordering: .relaxed) == 4)
        }
    }

    @Test func concurrentRelays_deliverOnceInOrder() async throws {
        let calls = Atomic<Int>(0)
        let mood: Mood = { _, _ in
            if calls.wrappingAdd(1, ordering: .relaxed).newValue % 5 == 0 { throw Abandoned() }
        }
        try await OutboxWorld.test(mood: mood) { world in
            try await world.withRelays(3) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for story in 0..<10 {
                        group.addTask { for number in 1...20 { try await world.publish("story \(story)", number) } }
                    }
                    try await group.waitForAll()
                }
                try await world.settled()
            }
            let steps = try await world.steps()
            #expect(steps.count == 200)
            for story in 0..<10 {
                #expect(steps.filter { $0.story == "story \(story)" }.map(\.number) == Array(1...20))
            }
        }
    }

    @Test func poisonEvent_isParkedAndOthersAreDelivered() async throws {
        let mood: Mood = { step, _ in
            if step.number == 2 { throw Problem(.invalid, message: "This one is poison.") }
        }
        try await OutboxWorld.test(mood: mood) { world in
            try await world.withRelays(parkAfter: .zero) {
                for number in 1...3 { try await world.publish("a", number) }
                for number in [1, 3] { try await world.publish("b", number) }
                try await world.settled()
            }
            let steps = try await world.steps()
            #expect(steps.filter { $0.story == "a" }.map(\.number) == [1, 3])
            #expect(steps.filter { $0.story == "b" }.map(\.number) == [1, 3])
            #expect(try await world.deliveries().parked == 1)
            let error = try await world.database.one(
                "SELECT last_error, refusals FROM outbox_deliveries WHERE parked_at IS NOT NULL"
            ) { try $0.decode(String.self, Int.self) }
            #expect(error == ("This one is poison.", 1))
        }
    }

    @Test func unavailableSubscriber_isNeverParked() async throws {
        let away = InternalClient(to: .seats, at: ["http://127.0.0.1:1"], keys: .development(.auth))
        let outbox = Outbox(subscribers: [Subscriber(.seats, to: [StepTaken.self], client: away)])
        let world = OutboxWorld(database: TestDatabase.current.client, outbox: outbox, client: away)
        try await world.publish("a", 1)
        try await world.withRelays(parkAfter: .zero) {
            while try await !tried(world) { try await Task.sleep(for: .milliseconds(20)) }
        }
        let deliveries = try await world.deliveries()
        #expect(deliveries == (1, 0))
        let refusals = try await world.database.one("SELECT refusals FROM outbox_deliveries") {
            try $0.decode(Int.self)
        }
        #expect(refusals == 0)
    }

    private func tried(_ world: OutboxWorld) async throws -> Bool {
        try await world.database.one("SELECT last_error IS NOT NULL FROM outbox_deliveries") {
            try $0.decode(Bool.self)
        }
    }

    @Test func postgreSQLCrash_losesAndDuplicatesNoEvent() async throws {
        let server = try await TestServer.another(settings: ["fsync": "off"])
        try await server.start(detached: false)
        let configuration = try PostgresConfiguration(url: server.adminURL(), applicationName: "test")
        let database = PostgresClient(configuration, logger: .quiet)
        try await database.migrate(OutboxWorld.migrations)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await database.run() }
            try await OutboxWorld.test(database) { world in
                let committed = Mutex<Set<Int>>([])
                try await world.withRelays(2) {
                    for number in 1...150 {
                        if number == 50 || number == 100 {
                            try await server.kill()
                            try await server.start(detached: false)
                        }
                        // A publish that failed may have been committed; one that succeeded certainly was.
                        if (try? await world.publish("story \(number % 7)", number)) != nil {
                            _ = committed.withLock { $0.insert(number) }
                        }
                    }
                    try await world.settled()
                }
                let numbers = try await world.steps().map(\.number)
                #expect(Set(numbers).count == numbers.count)
                #expect(committed.withLock { $0 }.isSubset(of: Set(numbers)))
                #expect(try await world.deliveries().parked == 0)
            }
            group.cancelAll()
        }
        try await server.stop(.immediate)
    }
}
