import FoundationEssentials
import ServiceKit
import Values

/// The events of one request to a subscriber: `EventEnvelope` for one event, `EventBatch` for several.
struct DeliveryBatch: Sendable {
    /// The maximum number of events in a request.
    static let largestCount = 256
    /// The maximum total size of the bodies, in bytes; a larger event is sent alone.
    static let largestSize = 1 << 20

    private(set) var deliveries: [Delivery]
    private var size: Int

    init(_ delivery: Delivery) {
        self.deliveries = [delivery]
        self.size = delivery.body.utf8.count
    }

    /// Splits deliveries into requests, in order.
    static func batches(of deliveries: [Delivery]) -> [DeliveryBatch] {
        deliveries.reduce(into: []) { batches, delivery in
            let next = DeliveryBatch(delivery)
            if let last = batches.last, let joined = last.joined(with: next) {
                batches[batches.endIndex - 1] = joined
            } else {
                batches.append(next)
            }
        }
    }

    private func joined(with other: DeliveryBatch) -> DeliveryBatch? {
        let count = deliveries.count + other.deliveries.count
        guard count <= Self.largestCount, size + other.size <= Self.largestSize else { return nil }
        var joined = self
        joined.deliveries += other.deliveries
        joined.size += other.size
        return joined
    }

    /// The batch without some events; nil if none is left.
    func without(_ ids: Set<UUID>) -> DeliveryBatch? {
        Self.batches(of: deliveries.filter { !ids.contains($0.id) }).first
    }

    /// The body of the request.
    var json: String {
        let events = deliveries.map { delivery in
            let trace = delivery.trace.map { #","trace":\#(JSONText.string($0))"# } ?? ""
            return #"{"id":"\#(delivery.id)","name":"\#(delivery.name)"\#(trace),"body":\#(delivery.body)}"#
        }
        return events.count == 1 ? events[0] : #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    /// The trace that all events belong to; nil if they belong to different traces, so that the request starts its own.
    var trace: TraceContext? {
        let traces = Set(deliveries.map(\.trace))
        return traces.count == 1 ? traces.first.flatMap { $0 }.flatMap { TraceContext(header: $0) } : nil
    }

    /// The traces of the events.
    var traces: [TraceContext] { deliveries.compactMap { $0.trace.flatMap { TraceContext(header: $0) } } }
}
