import ServiceHost

/// What one request to a subscriber carries: `EventEnvelope` for one event, `EventBatch` for several.
struct DeliveryBatch: Sendable {
    /// The most events of a request.
    static let largestCount = 256
    /// The most bytes of their bodies; an event that is larger goes alone.
    static let largestSize = 1 << 20

    private(set) var deliveries: [Delivery]
    private var size: Int

    init(_ delivery: Delivery) {
        self.deliveries = [delivery]
        self.size = delivery.body.utf8.count
    }

    /// Cuts deliveries into requests, in their order.
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

    /// The delivery of a batch of one.
    var only: Delivery? {
        deliveries.count == 1 ? deliveries.first : nil
    }

    /// The body of the request.
    var json: String {
        let events = deliveries.map { #"{"id":"\#($0.id)","name":"\#($0.name)","body":\#($0.body)}"# }
        return events.count == 1 ? events[0] : #"{"events":[\#(events.joined(separator: ","))]}"#
    }

    /// The trace to which all of it belongs; events of different traces are carried under one of the request's own.
    var trace: TraceContext? {
        let traces = Set(deliveries.map(\.trace))
        return traces.count == 1 ? traces.first.flatMap { $0 }.flatMap { TraceContext(header: $0) } : nil
    }
}
