import FoundationEssentials

/// The delivery of an event to one subscriber.
struct Delivery: Sendable {
    /// The event's number in the outbox.
    var event: Int64
    var id: UUID
    var name: String
    /// JSON text.
    var body: String
    /// `traceparent`.
    var trace: String?
    /// The number of failed attempts, which determines the pause before the next one.
    var refusals: Int

    enum Lane: Sendable {
        /// Not tried yet; sent in batches.
        case fresh
        /// Failed before, alone or in a batch; sent individually, so that a failure can be attributed to one event and
        /// does not delay others.
        case tried
    }

    /// A failed attempt.
    struct Failure: Sendable {
        var delivery: Delivery
        /// The pause before the next attempt.
        var pause: Duration
        var error: String
        /// Whether the subscriber answered that the event is malformed.
        var isMalformed = false
    }
}
