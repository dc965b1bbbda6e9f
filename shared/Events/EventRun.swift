import Contracts
import Postgres
import ServiceKit
import Tracing

/// Consecutive events of the same name, which one subscription handles together.
struct EventRun {
    private let subscription: Subscription
    private var events: [ReceivedEvent]

    /// Groups events, in order. One whose trace is kept is handled alone, so that all that follows from it is in its trace.
    static func runs(of events: [ReceivedEvent]) -> [EventRun] {
        events.reduce(into: []) { runs, event in
            let isAlone = event.trace?.sampled == true || runs.last?.events.last?.trace?.sampled == true
            if !isAlone, runs.last?.subscription.name == event.subscription.name {
                runs[runs.endIndex - 1].events.append(event)
            } else {
                runs.append(EventRun(subscription: event.subscription, events: [event]))
            }
        }
    }

    /// Handles the events in a span of the trace that they belong to, or, if these are several, of the present one with links
    /// to them (OpenTelemetry, "Semantic conventions for messaging spans").
    func apply(in transaction: PostgresTransaction) async throws {
        var context = ServiceContext.current ?? .topLevel
        let batch = context.trace
        let traces = events.compactMap(\.trace)
        let isOne = traces.count == events.count && Set(traces.map(\.traceID)).count == 1
        if isOne, let trace = traces.first, trace.traceID != batch?.traceID { context.trace = trace }
        let name = "process \(subscription.name)"
        try await InstrumentationSystem.tracer.withSpan(name, context: context, ofKind: .consumer) { span in
            span.updateAttributes { attributes in
                attributes["messaging.system"] = "madang"
                attributes["messaging.operation.type"] = "process"
                attributes["messaging.destination.name"] = subscription.name
                attributes["messaging.batch.message_count"] = events.count
                attributes["messaging.message.id"] = "\(events[0].id)"
            }
            let others = isOne ? [batch].compactMap(\.self) : traces
            for trace in others where trace.traceID != span.context.trace?.traceID { span.addLink(to: trace) }
            try await subscription.apply(events.map(\.body), transaction)
        }
    }
}
