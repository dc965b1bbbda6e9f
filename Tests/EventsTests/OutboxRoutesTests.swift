import Contracts
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Events

/// The calls of operators about waiting events.
@Suite(.database(OutboxWorld.migrations), .timeLimit(.minutes(1))) struct OutboxRoutesTests {
    private var database: PostgresClient { TestDatabase.current.client }

    private func withService(
        caller: ProgramName = .stack,
        _ body: @escaping @Sendable (ServiceClient) async throws -> Void
    ) async throws {
        try await OutboxWorld.application(database).test(.router) { client in
            try await body(ServiceClient(client, to: .seats, process: caller))
        }
    }

    /// Publishes steps to two subscribers; the first of them is parked for `seats`.
    private func publish(_ count: Int) async throws {
        let world = OutboxWorld.at("http://127.0.0.1:9", to: [StepTaken.self])
        let outbox = Outbox(
            subscribers: world.outbox.subscribers + [Subscriber(.chat, to: [StepTaken.self], client: world.client)]
        )
        try await database.transaction { transaction in
            try outbox.publish((1...count).map { StepTaken(story: "\($0)", number: $0) }, in: transaction)
        }
        try await database.execute(
            """
            UPDATE outbox_deliveries SET parked_at = now(), refused_at = now(), refusals = 9, last_error = 'poison',
                due_at = now() + interval '1 day'
            WHERE event = 1 AND subscriber = 'seats'
            """
        )
    }

    private func page(
        subscriber: String? = nil,
        parked: Bool? = nil,
        after number: Int64 = 0,
        _ stack: ServiceClient
    ) async throws -> OutboxAPI.Page {
        try await stack.send(.get, OutboxAPI.Page.path(subscriber: subscriber, parked: parked, after: number)).json()
    }

    private func intervene(
        _ path: String,
        subscriber: String? = nil,
        reason: String? = nil,
        _ stack: ServiceClient
    ) async throws -> TestResponse {
        let fields = [("subscriber", subscriber), ("by", "kim"), ("reason", reason)].compactMap { key, value in
            value.map { #""\#(key)":"\#($0)""# }
        }
        return try await stack.send(.post, path, json: "{\(fields.joined(separator: ","))}")
    }

    @Test func list_isPagedAndFiltered_withoutBodies() async throws {
        try await publish(150)
        try await withService { (stack) async throws in
            let first = try await page(subscriber: "chat", stack)
            #expect(first.entries.map(\.number) == Array(1...100))
            #expect(first.hasMore)
            let second = try await page(subscriber: "chat", after: 100, stack)
            #expect(second.entries.map(\.number) == Array(101...150))
            #expect(!second.hasMore)
            let parked = try await page(parked: true, stack).entries
            #expect(parked.map(\.subscriber) == ["seats"])
            let entry = try #require(parked.first)
            #expect(entry.name == StepTaken.name && entry.key == "1" && entry.refusals == 9 && entry.isParked)
            #expect(entry.error == "poison")
            #expect(try await page(subscriber: "seats", parked: false, stack).entries.first?.number == 2)
            let text = try await stack.send(.get, OutboxAPI.path).text
            #expect(!text.contains("story"))
        }
    }

    @Test func shownEvent_hasBodyAndUnconfirmedDeliveries() async throws {
        try await publish(2)
        try await withService { (stack) async throws in
            let event: OutboxAPI.StoredEvent = try await stack.send(.get, OutboxAPI.StoredEvent.path(1)).json()
            #expect(event.entries.map(\.subscriber) == ["chat", "seats"])
            #expect(event.body.contains(#""number": 1"#))
            #expect(try await stack.send(.get, OutboxAPI.StoredEvent.path(3)).status == .notFound)
            for path in ["0", "x", "-1"] {
                #expect(try await stack.send(.get, "\(OutboxAPI.path)/\(path)").status == .badRequest)
            }
        }
    }

    @Test func retry_makesDeliveryDue() async throws {
        try await publish(2)
        try await withService { (stack) async throws in
            let path = OutboxAPI.Intervention.retryPath(1)
            #expect(try await intervene(path, subscriber: "estate", stack).status == .notFound)
            let outcome: OutboxAPI.Outcome = try await intervene(path, subscriber: "seats", stack).json()
            #expect(outcome.deliveries == 1)
            #expect(try await page(parked: true, stack).entries.isEmpty)
            let store = DeliveryStore(database: database)
            // A malformed event that is tried again has another day.
            let taken = try await store.take(.tried, to: "seats", limit: 10, for: .seconds(30)).deliveries
            let delivery = try #require(taken.first)
            #expect(delivery.refusals == 0)
            let failure = Delivery.Failure(delivery: delivery, pause: .zero, error: "poison", isMalformed: true)
            #expect(try await store.setBack([failure], to: "seats", parkAfter: .seconds(86_400)) == [])
        }
    }

    @Test func retryOfParked_concernsAllOfThem() async throws {
        try await publish(5)
        try await database.execute("UPDATE outbox_deliveries SET parked_at = now(), refused_at = now() WHERE event < 4")
        try await withService { (stack) async throws in
            let path = OutboxAPI.Intervention.retryParkedPath
            let chat: OutboxAPI.Outcome = try await intervene(path, subscriber: "chat", stack).json()
            #expect(chat.deliveries == 3)
            let all: OutboxAPI.Outcome = try await intervene(path, stack).json()
            #expect(all.deliveries == 3)
            #expect(try await page(parked: true, stack).entries.isEmpty)
        }
    }

    @Test func drop_needsReason_andDeletesDelivery() async throws {
        try await publish(2)
        try await withService { (stack) async throws in
            let path = OutboxAPI.Intervention.dropPath(1)
            for reason in [nil, "", "  "] {
                #expect(try await intervene(path, reason: reason, stack).status == .badRequest)
            }
            let outcome: OutboxAPI.Outcome = try await intervene(path, subscriber: "seats", reason: "done", stack)
                .json()
            #expect(outcome.deliveries == 1)
            let left = try await page(stack).entries.map { "\($0.subscriber) \($0.number)" }
            #expect(left == ["chat 1", "chat 2", "seats 2"])
            #expect(try await intervene(path, subscriber: "seats", reason: "done", stack).status == .notFound)
        }
    }

    @Test func otherProcess_isForbidden() async throws {
        try await publish(1)
        try await withService(caller: .chat) { (chat) async throws in
            #expect(try await chat.send(.get, OutboxAPI.path).status == .forbidden)
            #expect(try await chat.send(.get, OutboxAPI.StoredEvent.path(1)).status == .forbidden)
            for path in [
                OutboxAPI.Intervention.retryPath(1), OutboxAPI.Intervention.dropPath(1),
                OutboxAPI.Intervention.retryParkedPath,
            ] {
                #expect(try await intervene(path, reason: "done", chat).status == .forbidden)
            }
        }
        try await withService { (stack) async throws in #expect(try await page(stack).entries.count == 2) }
    }
}
