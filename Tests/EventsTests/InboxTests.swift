import Contracts
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
            let auth = ServiceClient(client, process: "auth")
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
            let other = try await ServiceClient(client, process: "chat").send(.post, "/internal/events", json: event)
            #expect(other.status == .forbidden)
            let phone = try await ServiceClient(client, app: .moup, account: 1).send(
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
            let auth = ServiceClient(client, process: "auth")
            let answer = try await auth.send(.post, "/internal/events", json: json)
            #expect(answer.status.kind == .clientError)
            #expect(try await noted() == 0)
            let good = try await auth.send(.post, "/internal/events", json: event)
            #expect(good.status == .noContent)
            #expect(try await noted() == 1)
        }
    }
}
