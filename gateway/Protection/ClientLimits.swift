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
    private let known = Mutex(Known())
    private let open = Atomic(0)
    private let limits: ConnectionLimits
    private let allowances: [RateLimit]
    private let shared: ClientLimit

    private struct Known {
        var limits: [ClientAddress: ClientLimit] = [:]
        /// When those that need not be remembered may be removed again, which looks at all of them.
        var nextRemoval = NIODeadline.uptimeNanoseconds(0)
    }

    private static let removalInterval = TimeAmount.seconds(1)

    /// - Parameter allowances: The rate limits of one address, indexed by `Operation.Rate`.
    init(limits: ConnectionLimits, allowances: [RateLimit]) {
        self.limits = limits
        self.allowances = allowances
        shared = ClientLimit(allowances, now: .now())
    }

    /// The number of open connections.
    var count: Int { open.load(ordering: .relaxed) }

    /// Counts a new connection.
    ///
    /// - Parameter isProxy: Whether it has the requests of many clients, whose number is bounded in total only.
    /// - Returns: nil if there are too many connections, in total or from this address. Otherwise `leave` must follow.
    func enter(_ address: ClientAddress, isProxy: Bool = false, now: NIODeadline = .now()) -> ClientLimit? {
        guard open.wrappingAdd(1, ordering: .relaxed).newValue <= limits.total else {
            open.wrappingSubtract(1, ordering: .relaxed)
            return nil
        }
        return known.withLock { known in
            let limit = limit(of: address, &known, now)
            guard let limit, isProxy || limit.connections.load(ordering: .relaxed) < limits.perAddress else {
                open.wrappingSubtract(1, ordering: .relaxed)
                return nil
            }
            limit.connections.wrappingAdd(1, ordering: .relaxed)
            return limit
        }
    }

    private func limit(
        of address: ClientAddress,
        _ known: inout Known,
        _ now: NIODeadline
    ) -> ClientLimit? {
        if let limit = known.limits[address] { return limit }
        if known.limits.count >= limits.knownAddresses, now >= known.nextRemoval {
            known.limits = known.limits.filter { !$0.value.isForgettable(now: now) }
            known.nextRemoval = now + Self.removalInterval
        }
        guard known.limits.count < limits.knownAddresses else { return nil }
        let limit = ClientLimit(allowances, now: now)
        known.limits[address] = limit
        return limit
    }

    // MARK: Clients of a proxy

    /// The limits of a client whose requests come through a proxy. Addresses beyond those that can be remembered share
    /// their limits.
    func limit(of address: ClientAddress, now: NIODeadline = .now()) -> ClientLimit {
        known.withLock { limit(of: address, &$0, now) } ?? shared
    }

    /// Counts a connection that another process has accepted, until it is closed.
    ///
    /// - Parameters:
    ///   - address: The other end of the socket.
    ///   - client: Whom a proxy at the other end has it from; nil without one.
    /// - Returns: The limits of the client.
    func adopt(_ address: ClientAddress, for client: ClientAddress?, until closed: EventLoopFuture<Void>) -> ClientLimit
    {
        open.wrappingAdd(1, ordering: .relaxed)
        let counted = Set([address, client ?? address]).map { limit(of: $0) }
        for limit in counted { limit.connections.wrappingAdd(1, ordering: .relaxed) }
        closed.whenComplete { [self] _ in
            for limit in counted { limit.connections.wrappingSubtract(1, ordering: .relaxed) }
            open.wrappingSubtract(1, ordering: .relaxed)
        }
        return limit(of: client ?? address)
    }

    /// Counts a connection of a client of a proxy, until it is closed.
    ///
    /// - Returns: Whether it has not too many.
    func join(_ limit: ClientLimit, until closed: EventLoopFuture<Void>) -> Bool {
        let count = limit.connections.wrappingAdd(1, ordering: .relaxed).oldValue
        guard count < limits.perAddress else {
            limit.connections.wrappingSubtract(1, ordering: .relaxed)
            return false
        }
        closed.whenComplete { _ in limit.connections.wrappingSubtract(1, ordering: .relaxed) }
        return true
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
