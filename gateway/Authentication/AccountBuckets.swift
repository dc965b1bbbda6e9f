import Contracts
import NIOCore
import Synchronization

/// The rate limits of accounts: one bucket per account, shared by its tokens and connections.
final class AccountBuckets: Sendable {
    private let buckets = Mutex<[AccountID: TokenBucket]>([:])
    private let allowance: RateLimit
    private let limit: Int

    /// - Parameter limit: The maximum number of remembered accounts.
    init(_ allowance: RateLimit, limit: Int) {
        self.allowance = allowance
        self.limit = limit
    }

    func bucket(of account: AccountID, now: NIODeadline) -> TokenBucket {
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
