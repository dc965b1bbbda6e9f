import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Events

/// Several events in one request.
@Suite(.database(OutboxWorld.migrations), .timeLimit(.minutes(1))) struct InboxBatchTests {
    private var database: PostgresClient { TestDatabase.current.client }

    private func withService(
        mood: @escaping Mood = { _, _ in },
        _ body: @escaping @Sendable (ServiceClient) async throws -> Void
    ) async throws {
        try await OutboxWorld.application(database, mood: mood).test(.router) { client in
            try await body(ServiceClient(client, to: .seats, process: .auth))
        }
    }

    private static func step(_ story: String, _ number: Int, id: UUID = UUID()) -> String {
        #"{"id":"\#(id)","name":"auth.step-taken","body":{"story":"\#(story)","number":\#(number)}}"#
    }

    private static func written(_ story: String) -> String {
        #"{"id":"\#(UUID())","name":"auth.story-written","body":{"story":"\#(story)"}}"#
    }

    private func send(_ events: [String], by phone: ServiceClient) async throws -> HTTPResponse.Status {
        try await phone.send(.post, EventPath.path, json: #"{"events":[\#(events.joined(separator: ","))]}"#).status
    }

    /// The recorded steps, in order.
    private func noted() async throws -> [String] {
        try await database.all("SELECT story || ' ' || number FROM steps ORDER BY id") { try $0.decode(String.self) }
    }

    private func remembered() async throws -> Int {
        try await database.one("SELECT count(*) FROM inbox") { try $0.decode(Int.self) }
    }

    @Test func batch_isAtomic() async throws {
        let mood: Mood = { step, _ in
            if step.number == 2 { throw Problem(.invalid, message: "This one is poison.") }
        }
        try await withService(mood: mood) { (auth) async throws in
            let (first, poison, last) = (Self.step("a", 1), Self.step("b", 2), Self.step("c", 3))
            #expect(try await send([first, poison, last], by: auth).kind == .clientError)
            #expect(try await noted() == [])
            #expect(try await remembered() == 0)
            #expect(try await send([first, last], by: auth) == .noContent)
            #expect(try await noted() == ["a 1", "c 3"])
        }
    }

    @Test func consecutiveEventsOfOneName_areHandledTogetherInOrder() async throws {
        try await withService { (auth) async throws in
            let events = [
                Self.step("a", 1), Self.written("a"), Self.written("b"), Self.step("b", 2), Self.step("b", 3),
                Self.written("c"),
            ]
            #expect(try await send(events, by: auth) == .noContent)
            #expect(try await noted() == ["a 1", "a b -2", "b 2", "b 3", "c -1"])
        }
    }

    @Test func duplicateID_isHandledOnceAcrossBatches() async throws {
        try await withService { (auth) async throws in
            let ids = [UUID(), UUID(), UUID()]
            let events = ids.enumerated().map { Self.step("a", $0, id: $1) }
            #expect(try await send([events[0], events[1], events[0]], by: auth) == .noContent)
            #expect(try await send([events[2], events[1], events[0]], by: auth) == .noContent)
            #expect(try await auth.send(.post, EventPath.path, json: events[1]).status == .noContent)
            #expect(try await noted() == ["a 0", "a 1", "a 2"])
        }
    }

    @Test func concurrentOverlappingBatches_takeEffectOnce() async throws {
        try await withService { (auth) async throws in
            for round in 0..<10 {
                let events = (0..<50).map { Self.step("\(round)", $0) }
                let batches = [events, events.reversed(), Array(events[25...]), Array(events[..<40].reversed())]
                try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
                    for batch in batches { group.addTask { try await send(batch, by: auth) } }
                    for try await status in group { #expect(status == .noContent) }
                }
            }
            let lines = try await noted()
            #expect(lines.count == 500)
            #expect(Set(lines).count == 500)
        }
    }

    @Test(arguments: [
        #"{"id":"6f1c4c1e-52f2-4d0e-8f6e-0d6a3f8a9b10","name":"auth.unheard-of","body":{}}"#,
        #"{"id":"6f1c4c1e-52f2-4d0e-8f6e-0d6a3f8a9b10","name":"auth.step-taken","body":{"story":"a"}}"#,
        #"{"id":"6f1c4c1e-52f2-4d0e-8f6e-0d6a3f8a9b10","name":"auth.story-written"}"#,
        #"{"id":"6f1c4c1e-52f2-4d0e-8f6e-0d6a3f8a9b10","name":"authority.step-taken","body":{}}"#,
        #"{"id":"6f1c4c1e","name":"auth.step-taken","body":{"story":"a","number":1}}"#, "{}", "1", "null",
    ])
    func unreadableEvent_refusesWholeBatch(event: String) async throws {
        try await withService { (auth) async throws in
            #expect(try await send([Self.step("a", 1), event, Self.step("a", 2)], by: auth).kind == .clientError)
            #expect(try await noted() == [])
            #expect(try await remembered() == 0)
        }
    }

    @Test func eventOfOtherPublisher_isForbidden() async throws {
        try await withService { (auth) async throws in
            let foreign = #"{"id":"\#(UUID())","name":"seats.step-taken","body":{}}"#
            #expect(try await send([Self.step("a", 1), foreign], by: auth) == .forbidden)
            #expect(try await noted() == [])
        }
    }

    @Test func emptyBatch_isAcceptedAndMalformedBatchRefused() async throws {
        try await withService { (auth) async throws in
            #expect(try await send([], by: auth) == .noContent)
            for json in [#"{"events":{}}"#, #"{"events":null}"#, #"{"events":[[]]}"#, #"{"events":"#] {
                #expect(try await auth.send(.post, EventPath.path, json: json).status.kind == .clientError)
            }
        }
    }

    @Test func batch_isLimitedToFourMebibytes() async throws {
        try await withService { (auth) async throws in
            let long = String(repeating: "a", count: 3 << 20)
            #expect(try await send([Self.step(long, 1)], by: auth) == .noContent)
            let longer = String(repeating: "a", count: 4 << 20)
            #expect(try await send([Self.step(longer, 1)], by: auth) == .contentTooLarge)
            #expect(try await noted().count == 1)
        }
    }
}
