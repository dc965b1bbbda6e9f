import Apps
import NIOCore
import Synchronization

/// The connection count and rate limits of one client address, kept while it is connected and until its buckets are
/// full again.
final class ClientLimit: Sendable {
    private let buckets: [TokenBucket]
    fileprivate let connections = Atomic(0)

    fileprivate init(_ allowances: [RateLimit], now: NIODeadline) {
        buckets = allowances.map { TokenBucket($0, now: now) }
    }

    /// Takes one call of a kind; see `TokenBucket.take`.
    func take(_ rate: Operation.Rate, now: NIODeadline) -> Int? {
        buckets[rate.rawValue].take(now: now)
    }

    fileprivate func isForgettable(now: NIODeadline) -> Bool {
        connections.load(ordering: .relaxed) == 0 && buckets.allSatisfy { $0.isFull(now: now) }
    }
}

/// The limits of all client addresses, and the limits on connections.
final class ClientLimits: Sendable {
    private let known = Mutex<[ClientAddress: ClientLimit]>([:])
    private let open = Atomic(0)
    private let limits: ConnectionLimits
    private let allowances: [RateLimit]

    /// - Parameter allowances: The rate limits of one address, indexed by `Operation.Rate`.
    init(limits: ConnectionLimits, allowances: [RateLimit]) {
        self.limits = limits
        self.allowances = allowances
    }

    /// The number of open connections.
    var count: Int { open.load(ordering: .relaxed) }

    /// Counts a new connection.
    ///
    /// - Returns: nil if there are too many connections, in total or from this address. Otherwise `leave` must follow.
    func enter(_ address: ClientAddress, now: NIODeadline = .now()) -> ClientLimit? {
        guard open.wrappingAdd(1, ordering: .relaxed).newValue <= limits.total else {
            open.wrappingSubtract(1, ordering: .relaxed)
            return nil
        }
        return known.withLock { known in
            if known.count >= limits.knownAddresses { known = known.filter { !$0.value.isForgettable(now: now) } }
            let limit = known[address] ?? ClientLimit(allowances, now: now)
            guard limit.connections.load(ordering: .relaxed) < limits.perAddress,
                known[address] != nil || known.count < limits.knownAddresses
            else {
                open.wrappingSubtract(1, ordering: .relaxed)
                return nil
            }
            limit.connections.wrappingAdd(1, ordering: .relaxed)
            known[address] = limit
            return limit
        }
    }

    func leave(_ limit: ClientLimit) {
        limit.connections.wrappingSubtract(1, ordering: .relaxed)
        open.wrappingSubtract(1, ordering: .relaxed)
    }
}

/// The limits on open connections.
struct ConnectionLimits: Sendable {
    var total = 20_000
    var perAddress = 2_000
    /// The maximum number of remembered addresses: connected ones and those with a bucket that is not full.
    var knownAddresses = 100_000
}
