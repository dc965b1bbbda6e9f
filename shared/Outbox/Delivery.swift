import FoundationEssentials

/// An event on its way to one subscriber.
struct Delivery: Sendable {
    /// The event's number in the outbox.
    var event: Int64
    var subscriber: String
    var id: UUID
    var name: String
    /// JSON text.
    var body: String
    /// `traceparent`.
    var trace: String?
    /// How often the subscriber has refused it.
    var refusals: Int
}
