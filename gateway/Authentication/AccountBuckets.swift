import NIOCore
import Synchronization

/// The rate limits of accounts: one bucket per account, however many tokens and connections it has.
final class AccountBuckets: Sendable {
    private let buckets = Mutex<[Int64: TokenBucket]>([:])
    private let allowance: Allowance
    private let limit: Int

    /// - Parameter limit: the most accounts that are remembered.
    init(_ allowance: Allowance, limit: Int) {
        self.allowance = allowance
        self.limit = limit
    }

    func bucket(of account: Int64, now: NIODeadline) -> TokenBucket {
        buckets.withLock { buckets in
            if let bucket = buckets[account] { return bucket }
            if buckets.count >= limit { buckets = buckets.filter { !$0.value.isFull(now: now) } }
            if buckets.count >= limit { buckets = [:] }
            let bucket = TokenBucket(allowance, now: now)
            buckets[account] = bucket
            return bucket
        }
    }
}
