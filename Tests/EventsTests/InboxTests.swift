import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Events

@Suite(.database(OutboxWorld.migrations), .timeLimit(.minutes(1))) struct InboxTests {
    private let event = """
        {"id":"6f1c4c1e-52f2-4d0e-8f6e-0d6a3f8a9b10","name":"auth.step-taken","body":{"story":"a","number":1}}
        """

    private func withService(_ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void) async throws {
        try await OutboxWorld.application(TestDatabase.current.client).test(.router, body)
    }

    private func noted() async throws -> Int {
        try await TestDatabase.current.client.one("SELECT count(*) FROM steps") { try $0.decode(Int.self) }
    }

    @Test func repeatedEvent_takesEffectOnce() async throws {
        try await withService { client in
            let auth = ServiceClient(client, to: .seats, process: .auth)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        let answer = try await auth.send(.post, "/internal/events", json: event)
                        #expect(answer.status == .noContent)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await noted() == 1)
        }
    }

    @Test func eventOfOtherPublisher_isForbidden() async throws {
        try await withService { client in
            let other = try await ServiceClient(client, to: .seats, process: .chat).send(
                .post,
                "/internal/events",
                json: event
            )
            #expect(other.status == .forbidden)
            let phone = try await ServiceClient(client, to: .seats, app: .moup, account: 1).send(
                .post,
                "/internal/events",
                json: event
            )
            #expect(phone.status == .notFound)
            #expect(try await noted() == 0)
        }
    }

    @Test(arguments: [
        "", "{}", "[]", #"{"id":"x","name":"auth.step-taken","body":{}}"#,
        #"{"id":"6f1c4c1e-52f2-4d0e-8f6e-0d6a3f8a9b10","name":"auth.unheard-of","body":{}}"#,
        #"{"id":"6f1c4c1e-52f2-4d0e-8f6e-0d6a3f8a9b10","name":"auth.step-taken","body":{"story":"a"}}"#,
        #"{"id":"6f1c4c1e-52f2-4d0e-8f6e-0d6a3f8a9b10","name":"auth.step-taken"}"#,
    ])
    func unreadableEvent_isRefusedAndNotRecorded(json: String) async throws {
        try await withService { client in
            let auth = ServiceClient(client, to: .seats, process: .auth)
            let answer = try await auth.send(.post, "/internal/events", json: json)
            #expect(answer.status.kind == .clientError)
            #expect(try await noted() == 0)
            let good = try await auth.send(.post, "/internal/events", json: event)
            #expect(good.status == .noContent)
            #expect(try await noted() == 1)
        }
    }

    /// The publisher sends the other events of the request again, without those that the response names.
    @Test func refusal_namesEventsAndReasons() async throws {
        let ids = (0..<4).map { _ in UUID() }
        let bodies = [
            #""auth.unheard-of","body":{}"#, #""auth.step-taken","body":{"story":"a","number":1}"#,
            #""auth.step-taken","body":{"story":"a"}"#, #""auth.step-taken","body":{"story":"a","number":1.5}"#,
        ]
        let events = zip(ids, bodies).map { #"{"id":"\#($0)","name":\#($1)}"# }.joined(separator: ",")
        try await withService { client in
            let auth = ServiceClient(client, to: .seats, process: .auth)
            let answer = try await auth.send(.post, "/internal/events", json: #"{"events":[\#(events)]}"#)
            #expect(answer.status.code == EventRefusals.status)
            let refusals = try answer.json(EventRefusals.self).refusals
            #expect(refusals.map(\.id) == [ids[0], ids[2], ids[3]])
            #expect(refusals.map(\.reason) == [.unsubscribed, .malformed, .unsupported])
            #expect(try await noted() == 0)
        }
    }

    @Test func laterReason_isReadAsUnsupported() throws {
        let json = #"{"id":"6f1c4c1e-52f2-4d0e-8f6e-0d6a3f8a9b10","reason":"too_early","message":"m"}"#
        let refusal = try JSONDecoder().decode(EventRefusals.Refusal.self, from: Data(json.utf8))
        #expect(refusal.reason == .unsupported)
    }

    /// Ids without a time, such as those of publishers of earlier versions.
    @Test func oldIDs_areDeletedAfterEightDays() async throws {
        let database = TestDatabase.current.client
        try await database.execute(
            """
            INSERT INTO inbox (event_id, received_at)
            SELECT gen_random_uuid(), now() - make_interval(days => CASE WHEN number > 11000 THEN 7 ELSE 9 END)
            FROM generate_series(1, 11003) AS number
            """
        )
        let inbox = Inbox(database: database, subscriptions: [], outbox: Outbox(subscribers: []))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<2 { group.addTask { try await inbox.run() } }
            try await eventually("the old ones are gone") {
                try await database.one("SELECT count(*) FROM inbox") { try $0.decode(Int.self) } == 3
            }
            group.cancelAll()
        }
    }
}
