import Values

/// The adaptive request size and pause of a relay on one lane to one subscriber.
///
/// After a request without a response, the next carries half as many events and is sent after a growing pause. A slow
/// subscriber thus gets smaller batches, and an unavailable one fewer requests.
struct AdaptiveBatch: Sendable {
    /// The maximum number of events of the next request.
    private(set) var size = DeliveryBatch.largestCount
    private var backoff: Backoff

    init(_ policy: OutboxRelay.RetryPolicy) {
        backoff = Backoff(from: policy.firstPause, to: policy.sweep)
    }

    /// Records that a request got a response, with any status.
    mutating func answered() {
        size = min(size + 16, DeliveryBatch.largestCount)
        backoff.reset()
    }

    /// Records that a request got no response.
    ///
    /// - Returns: The pause before the next request.
    mutating func missed(using random: inout some RandomNumberGenerator) -> Duration {
        size = max(size / 2, 1)
        return backoff.next(using: &random)
    }
}
