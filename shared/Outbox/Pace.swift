/// How fast a relay goes on one lane to one subscriber.
///
/// When a request gets no answer, the next carries half as many events and comes after a growing rest: a subscriber that is
/// too slow for many gets fewer, and one that is away is not called to death.
struct Pace: Sendable {
    /// How many events one request may carry.
    private(set) var size = DeliveryBatch.largestCount
    private var rest: Duration
    private let patience: OutboxRelay.Patience

    init(_ patience: OutboxRelay.Patience) {
        self.patience = patience
        self.rest = patience.firstPause
    }

    /// A request was answered, whatever the answer.
    mutating func answered() {
        size = min(size + 16, DeliveryBatch.largestCount)
        rest = patience.firstPause
    }

    /// A request got no answer.
    ///
    /// - Returns: how long to leave the subscriber alone.
    mutating func missed() -> Duration {
        size = max(size / 2, 1)
        defer { rest = min(rest * 2, patience.sweep) }
        return rest * Double.random(in: 0.75...1.25)
    }
}
