import NIOCore
import Synchronization

/// What is known of one client address while it is connected, and shortly after.
final class Peer: Sendable {
    private let buckets: [TokenBucket]
    fileprivate let connections = Atomic(0)

    fileprivate init(_ allowances: [Allowance], now: NIODeadline) {
        buckets = allowances.map { TokenBucket($0, now: now) }
    }

    /// Takes one call of a kind; see `TokenBucket.take`.
    func take(_ rate: Route.Rate, now: NIODeadline) -> Int? {
        buckets[rate.rawValue].take(now: now)
    }

    fileprivate func isForgettable(now: NIODeadline) -> Bool {
        connections.load(ordering: .relaxed) == 0 && buckets.allSatisfy { $0.isFull(now: now) }
    }
}

/// The client addresses, with the limits on connections.
final class Peers: Sendable {
    private let known = Mutex<[PeerAddress: Peer]>([:])
    private let open = Atomic(0)
    private let limits: ConnectionLimits
    private let allowances: [Allowance]

    /// - Parameter allowances: by `Route.Rate`, for one address.
    init(limits: ConnectionLimits, allowances: [Allowance]) {
        self.limits = limits
        self.allowances = allowances
    }

    /// The number of open connections.
    var count: Int { open.load(ordering: .relaxed) }

    /// Counts a new connection.
    ///
    /// - Returns: nil when there are too many, altogether or from this address. Otherwise `leave` must follow.
    func enter(_ address: PeerAddress, now: NIODeadline = .now()) -> Peer? {
        guard open.wrappingAdd(1, ordering: .relaxed).newValue <= limits.total else {
            open.wrappingSubtract(1, ordering: .relaxed)
            return nil
        }
        return known.withLock { known in
            if known.count >= limits.knownAddresses { known = known.filter { !$0.value.isForgettable(now: now) } }
            let peer = known[address] ?? Peer(allowances, now: now)
            guard peer.connections.load(ordering: .relaxed) < limits.perAddress,
                known[address] != nil || known.count < limits.knownAddresses
            else {
                open.wrappingSubtract(1, ordering: .relaxed)
                return nil
            }
            peer.connections.wrappingAdd(1, ordering: .relaxed)
            known[address] = peer
            return peer
        }
    }

    func leave(_ peer: Peer) {
        peer.connections.wrappingSubtract(1, ordering: .relaxed)
        open.wrappingSubtract(1, ordering: .relaxed)
    }
}

/// How many connections may be open.
struct ConnectionLimits: Sendable {
    var total = 20_000
    var perAddress = 2_000
    /// Addresses that are remembered, connected or with a bucket that is not full.
    var knownAddresses = 100_000
}
