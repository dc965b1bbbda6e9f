/// The adaptive request size and pause of a relay on one lane to one subscriber.
///
/// After a request without a response, the next carries half as many events and is sent after a growing pause. A slow
/// subscriber thus gets smaller batches, and an unavailable one fewer requests.
struct AdaptiveBatch: Sendable {
    /// The maximum number of events of the next request.
    private(set) var size = DeliveryBatch.largestCount
    private var rest: Duration
    private let policy: OutboxRelay.RetryPolicy

    init(_ policy: OutboxRelay.RetryPolicy) {
        self.policy = policy
        self.rest = policy.firstPause
    }

    /// Records that a request got a response, with any status.
    mutating func answered() {
        size = min(size + 16, DeliveryBatch.largestCount)
        rest = policy.firstPause
    }

    /// Records that a request got no response.
    ///
    /// - Returns: The pause before the next request.
    mutating func missed() -> Duration {
        size = max(size / 2, 1)
        defer { rest = min(rest * 2, policy.sweep) }
        return rest * Double.random(in: 0.75...1.25)
    }
}
