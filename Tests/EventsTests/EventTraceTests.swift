import Contracts
import Postgres
import ServiceKit
import Synchronization
import TestKit
import Testing
import Tracing

@testable import Events

/// The way of an event from the span that publishes it to the one that handles it.
@Suite(.database(OutboxWorld.migrations), .timeLimit(.minutes(1))) struct EventTraceTests {
    private let log = SpanLog()

    /// Publishes each story in a request of its own, before a relay delivers them together.
    ///
    /// - Returns: The traces of the requests.
    private func deliver(_ stories: [String], sampled: Bool = false) async throws -> [TraceID] {
        let traces = Mutex<[TraceID]>([])
        try await log.recording {
            try await OutboxWorld.test { world in
                for story in stories {
                    var context = ServiceContext.topLevel
                    context.trace = TraceContext()
                    context.trace?.sampled = sampled
                    try await InstrumentationSystem.tracer.withSpan("request", context: context) { span in
                        if let trace = span.context.trace { traces.withLock { $0.append(trace.traceID) } }
                        try await world.publish(story, 1)
                    }
                }
                try await world.withRelays { try await world.settled() }
            }
        }
        return traces.withLock { $0 }
    }

    @Test func event_isHandledInTheTraceThatPublishedIt() async throws {
        let trace = try #require(try await deliver(["a"]).first)
        let handled = try log.span("process auth.step-taken")
        #expect(handled.context.traceID == trace)
        let path = log.path(to: handled)
        #expect(path.first == "request" && path.contains("deliver to seats") && path.contains("POST /internal/events"))
        let written = try #require(log.spans.last { $0.parent == handled.context.spanID })
        #expect(written["db.query.text"]?.hasPrefix("INSERT INTO steps") == true)
    }

    @Test func eventsOfSeveralTraces_areHandledTogether_withLinks() async throws {
        let traces = try await deliver(["a", "b", "c"])
        let handled = log.spans.filter { $0.name == "process auth.step-taken" }
        let together = try #require(handled.first { $0["messaging.batch.message_count"] == "3" })
        #expect(together.links.map(\.context.traceID) == traces)
        #expect(try log.span("deliver to seats").links.map(\.context.traceID) == traces)
    }

    @Test func eventsOfKeptTraces_areHandledEachInItsOwn() async throws {
        let traces = try await deliver(["a", "b", "c"], sampled: true)
        let handled = log.spans.filter { $0.name == "process auth.step-taken" }
        #expect(handled.map(\.context.traceID) == traces)
        #expect(handled.allSatisfy { $0.links.count == 1 })
    }
}
