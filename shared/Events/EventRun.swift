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

    /// Handles the events in one span (`withBatchSpan`).
    func apply(in transaction: PostgresTransaction) async throws {
        let context = ServiceContext.current ?? .topLevel
        try await withBatchSpan("process \(subscription.name)", of: events.map(\.trace), in: context) { span in
            span.updateAttributes { attributes in
                attributes["messaging.system"] = "madang"
                attributes["messaging.operation.type"] = "process"
                attributes["messaging.destination.name"] = subscription.name
                attributes["messaging.batch.message_count"] = events.count
                attributes["messaging.message.id"] = "\(events[0].id)"
            }
            try await subscription.apply(events.map(\.body), transaction)
        }
    }
}
