import Testing
import Tracing

@testable import ServiceKit

/// The trace of what is handled together.
struct BatchSpanTests {
    private func trace(sampled: Bool = false) -> TraceContext {
        TraceContext(traceID: .random(), spanID: .random(), sampled: sampled)
    }

    private func own(_ traces: [TraceContext?], in context: ServiceContext = .topLevel) async throws -> TraceContext? {
        try await withBatchSpan("batch", of: traces, in: context) { $0.context.trace }
    }

    @Test func sharedTrace_isContinued() async throws {
        let one = trace()
        #expect(try await own([one, one.child])?.traceID == one.traceID)
    }

    @Test func sampledTrace_isContinued() async throws {
        let (one, sampled) = (trace(), trace(sampled: true))
        #expect(try await own([one, sampled, nil])?.traceID == sampled.traceID)
    }

    @Test func severalTraces_leaveThatOfTheContext() async throws {
        var context = ServiceContext.topLevel
        context.trace = trace()
        #expect(try await own([trace(), trace()], in: context)?.traceID == context.trace?.traceID)
        #expect(try await own([trace(), nil], in: context)?.traceID == context.trace?.traceID)
    }
}
