import FoundationEssentials

/// An event on its way to one subscriber.
struct Delivery: Sendable {
    /// The event's number in the outbox.
    var event: Int64
    var id: UUID
    var name: String
    /// JSON text.
    var body: String
    /// `traceparent`.
    var trace: String?
    /// How often the subscriber has refused it.
    var refusals: Int

    /// How deliveries travel.
    enum Lane: Sendable {
        /// Not tried yet: many in one request.
        case fresh
        /// Failed before, alone or with others: each by itself, so that it is known whose fault it is, and in nobody's way.
        case tried
    }
}
