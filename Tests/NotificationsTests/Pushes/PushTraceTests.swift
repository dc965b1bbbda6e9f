import Postgres
import ServiceKit
import TestKit
import Testing
import Tracing

@testable import Notifications

/// The spans of pushes.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)))
struct PushTraceTests {
    private let fixture = PushFixture()
    private let log = SpanLog()

    @Test func push_belongsToTheTraceThatItFollowsFrom_andHasNoText() async throws {
        try await fixture.register(1, "token-of-the-phone")
        fixture.phones.answer { _, before in before == 0 ? .later("503") : .sent }
        try await log.recording {
            try await InstrumentationSystem.tracer.withSpan("request", context: .topLevel) { _ in
                try await fixture.push("a secret", to: 1)
            }
            try await fixture.sending {
                try await eventually { fixture.phones.tries.count == 1 }
                try await eventually { try await fixture.dueIn() != nil }
                fixture.clock.advance(by: 70)
                try await eventually { try await fixture.waiting() == 0 }
            }
        }
        let pushes = log.spans.filter { $0.name == "push" }
        #expect(pushes.map { $0["madang.push.outcome"] } == ["later", "sent"])
        #expect(pushes.map(\.isError) == [true, false])
        #expect(pushes.map { $0["madang.push.attempt"] } == ["1", "2"])
        let request = try log.span("request")
        #expect(pushes.allSatisfy { $0.context.traceID == request.context.traceID && $0["user.id"] == "1" })
        let texts = String(decoding: OTLPTraces(resource: []).json(log.spans), as: UTF8.self)
        #expect(!texts.contains("a secret") && !texts.contains("token-of-the-phone"))
    }

    @Test func pushOfNoTrace_hasOneOfItsOwn() async throws {
        try await fixture.register(1, "one")
        try await fixture.push("first", to: 1)
        try await log.recording {
            try await fixture.sending { try await eventually { try await fixture.waiting() == 0 } }
        }
        #expect(try log.span("push").parent == nil)
    }
}
