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

@Suite(.database(OutboxWorld.migrations), .timeLimit(.minutes(1))) struct SubscriberRelayTests {
    private var world: OutboxWorld { .current }

    /// Blocks callers until the test opens it.
    private final class Gate: Sendable {
        private let isOpen = Atomic<Bool>(false)

        func open() { isOpen.store(true, ordering: .relaxed) }

        func pass() async throws {
            while !isOpen.load(ordering: .relaxed) { try await Task.sleep(for: .milliseconds(10)) }
        }
    }

    private func publish(_ steps: [StepTaken], _ world: OutboxWorld) async throws {
        try await world.database.transaction { try world.outbox.publish(steps, in: $0) }
    }

    private func waiting(for subscriber: ServiceName) async throws -> Int {
        try await TestDatabase.current.client.one(
            "SELECT count(*) FROM outbox_deliveries WHERE subscriber = \(subscriber.rawValue) AND parked_at IS NULL"
        ) { try $0.decode(Int.self) }
    }

    /// Only the events that the subscriber refuses are parked, at any position in a batch.
    @Test(arguments: [[50], [0, 99], Array(10..<40)]) func poisonEventsInBatch_areParkedAlone(
        poison: [Int]
    ) async throws {
        let mood: Mood = { step, _ in
            if poison.contains(step.number) { throw Problem(.invalid, message: "This one is poison.") }
        }
        try await OutboxWorld.test(mood: mood) { world in
            try await publish((0..<100).map { StepTaken(story: "story \($0)", number: $0) }, world)
            try await world.withRelays(parkAfter: .milliseconds(50)) { try await world.settled() }
            let numbers = try await world.steps().map(\.number)
            #expect(numbers.sorted() == (0..<100).filter { !poison.contains($0) })
            let parked = try await world.database.all(
                """
                SELECT (o.body->>'number')::int, d.refusals FROM outbox_deliveries d JOIN outbox o ON o.id = d.event
                WHERE d.parked_at IS NOT NULL ORDER BY 1
                """
            ) { try $0.decode(as: (Int, Int).self) }
            #expect(parked.map(\.0) == poison)
            #expect(parked.allSatisfy { $0.1 > 1 })
        }
    }

    @Test(.outbox) func batch_keepsOrderOfEvents() async throws {
        try await publish((0..<300).map { StepTaken(story: "story \($0)", number: $0) }, world)
        try await world.withRelays { try await world.settled() }
        #expect(try await world.steps().map(\.number) == Array(0..<300))
    }

    @Test func silentSubscriber_doesNotBlockOthers() async throws {
        let (router, gate) = (Router(), Gate())
        router.post("internal/events") { _, _ in
            try await gate.pass()
            return HTTPResponse.Status.noContent
        }
        try await Application(router: router, logger: .quiet).test(.live) { silent in
            try await OutboxWorld.test { world in
                let address = "http://127.0.0.1:\(silent.port ?? 0)"
                let client = InternalClient(to: .chat, at: [address], keys: .development(.auth))
                let world = OutboxWorld(
                    database: world.database,
                    outbox: Outbox(
                        subscribers: [Subscriber(.chat, to: [StepTaken.self], client: client)]
                            + world.outbox.subscribers
                    ),
                    client: world.client
                )
                try await world.withRelays {
                    for round in 0..<10 {
                        try await publish((0..<60).map { StepTaken(story: "\($0)", number: round) }, world)
                    }
                    while try await waiting(for: .seats) > 0 { try await Task.sleep(for: .milliseconds(20)) }
                }
                #expect(try await world.steps().count == 600)
                #expect(try await waiting(for: .chat) == 600)
                gate.open()
            }
        }
    }

    @Test func slowEvent_doesNotBlockOthers() async throws {
        let gate = Gate()
        let mood: Mood = { step, _ in
            if step.story == "stuck" { try await gate.pass() }
        }
        try await OutboxWorld.test(mood: mood) { world in
            try await world.withRelays {
                try await world.publish("stuck", 0)
                while try await !tried() { try await Task.sleep(for: .milliseconds(20)) }
                for number in 1...20 { try await world.publish("story \(number % 3)", number) }
                while try await waiting(for: .seats) > 1 { try await Task.sleep(for: .milliseconds(20)) }
                #expect(try await world.steps().map(\.number).sorted() == Array(1...20))
                gate.open()
                try await world.settled()
            }
            #expect(try await world.steps().map(\.number).sorted() == Array(0...20))
        }
    }

    private func tried() async throws -> Bool {
        try await TestDatabase.current.client.one(
            "SELECT EXISTS (SELECT FROM outbox_deliveries WHERE last_error IS NOT NULL)"
        ) { try $0.decode(Bool.self) }
    }

    /// Relays are started and cancelled in the middle of their work.
    @Test(.outbox) func restartedRelays_keepOrderOfKey() async throws {
        for restart in 0..<6 {
            try await world.withRelays(2) {
                for number in 1...20 {
                    let steps = (0..<5).map { StepTaken(story: "story \($0)", number: restart * 20 + number) }
                    try await publish(steps, world)
                }
            }
        }
        try await world.withRelays { try await world.settled() }
        let steps = try await world.steps()
        #expect(steps.count == 600)
        for story in 0..<5 { #expect(steps.filter { $0.story == "story \(story)" }.map(\.number) == Array(1...120)) }
    }
}
