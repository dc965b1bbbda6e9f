import Contracts
import Postgres
import ServiceKit
import TestKit
import Testing
import Tracing

@testable import Seats

/// The request that a message to sockets follows from.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct MessageTraceTests {
    private let store = LiveStore()
    private let topic = LiveTopic.path(JourneyID(rawValue: 7))

    private func publish(in trace: TraceContext?) async throws {
        var context = ServiceContext.topLevel
        context.trace = trace
        let database = TestDatabase.current.client
        try await ServiceContext.withValue(context) {
            _ = try await database.transaction { try await store.publish(["a": 1], to: topic, in: $0) }
        }
    }

    private var traces: [String?] {
        get async throws {
            let database = TestDatabase.current.client
            return try await store.messages(after: [(topic.name, .zero)], limit: 10, in: database).map(\.trace)
        }
    }

    @Test func message_hasTheTraceOfItsRequest() async throws {
        let trace = TraceContext()
        try await publish(in: trace)
        try await publish(in: nil)
        #expect(try await traces.map { $0.flatMap { TraceContext(header: $0) }?.traceID } == [trace.traceID, nil])
    }
}
