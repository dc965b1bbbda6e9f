import Contracts
import NIOCore
import ServiceKit
import Synchronization

/// One address of a service and its health, shared by all event loops.
///
/// An address is taken out of use in two ways: while `/readyz` does not return 200 (active check), and for a growing
/// time after several consecutive failures (passive check). If no other address is left, only one that says that it is
/// not ready is out of use: one that does not respond to checks may have just started, or be overloaded. Its WebSockets
/// go to another copy much earlier, provided that one is in good health (`failing`).
final class Endpoint: Sendable {
    let service: ServiceName
    let address: SocketAddress
    /// Its Unix socket (`ServiceSocket`), where nothing may listen; nil unless it is on this host.
    let socket: SocketAddress?
    /// `127.0.0.1:8082`, for logs.
    let name: String
    let load = Mutex(EndpointLoad())
    /// The number of WebSockets.
    let tunnels = Atomic(0)
    private let health = Mutex(Health())

    private struct Health {
        /// The result of the active checks.
        var readiness = Readiness.ready
        var wasEverReady = false
        var wasEverChecked = false
        /// Whether the last check has not found the service ready.
        var isFailing = false
        /// Consecutive active checks that were answered with unreadiness.
        var refusals = 0
        /// Whether no host acknowledged the last check.
        var isUnreachable = false
        /// When the first of the checks began that have all succeeded, or failed, and when the last one ended.
        var since: NIODeadline?
        var lastCheck = NIODeadline.uptimeNanoseconds(0)
        /// When the check began that is under way.
        var checkBegan: NIODeadline?
        /// Whether a request was answered since the last active check.
        var hasAnswered = false
        var failures = 0
        var ejections = 0
        var ejectedUntil = NIODeadline.uptimeNanoseconds(0)
    }

    /// The number of consecutive failures after which an address is taken out.
    private static let failureLimit = 3
    /// The time from the first to the last of consecutive failed checks after which it is.
    private static let failingTime = TimeAmount.seconds(4)
    /// The number of checks answered with unreadiness after which WebSockets go to another copy.
    private static let refusalLimit = 2
    private static let firstEjection = TimeAmount.seconds(1)
    private static let longestEjection = 5

    /// The number of requests that wait for or receive a response.
    var outstanding: Int { load.withLock(\.outstanding) }

    /// - Parameter sockets: `SERVICE_SOCKETS`.
    init(_ service: ServiceName, at address: SocketAddress, sockets: String = "") {
        self.service = service
        self.address = address
        let (host, port) = (address.ipAddress ?? "-", address.port ?? 0)
        self.name = "\(host):\(port)"
        // The port of another host may have the same number.
        let isHere = ["127.0.0.1", "::1"].contains(host)
        let path = isHere ? ServiceSocket.path(of: service.rawValue, port: port, in: sockets) : nil
        socket = path.flatMap { try? SocketAddress(unixDomainSocketPath: $0) }
    }

    /// The result of an active check.
    enum Readiness: Sendable {
        case ready
        /// The address does not respond.
        case silent
        /// Nothing that is sent to the address is acknowledged by its host.
        case unreachable
        /// The address responds that it is not ready.
        case unready
    }

    /// Counts a refusal if a further request would wait too long.
    ///
    /// - Returns: When to try again, in seconds; nil if it may be sent.
    func refuses(waitOver limit: TimeAmount, now: NIODeadline) -> Int? {
        load.withLock { load in
            let wait = load.expectedWait(now: now)
            guard wait > limit else { return nil }
            load.countRefusal()
            return Int(min(wait, Self.longestRetry).nanoseconds / 1_000_000_000)
        }
    }

    private static let longestRetry = TimeAmount.seconds(10)

    enum State: Sendable {
        case available, doubtful, ejected, silent, down

        /// The rank for selection; lower is better.
        var rank: Int {
            switch self {
            case .available: 0
            case .doubtful: 1
            case .ejected: 2
            case .silent: 3
            case .down: 4
            }
        }
    }

    func state(now: NIODeadline) -> State {
        health.withLock { health in
            switch health.readiness {
            case .ready: now < health.ejectedUntil ? .ejected : health.refusals > 0 ? .doubtful : .available
            case .silent, .unreachable: .silent
            case .unready: .down
            }
        }
    }

    /// Why the WebSockets of an address are better served by another copy.
    enum Failing {
        /// It says that it is not ready, and can hand them over.
        case unready
        /// Nothing that is sent there arrives.
        case unreachable
    }

    /// Why, and since when, the address serves its WebSockets badly; nil while it does not.
    var failing: (why: Failing, since: NIODeadline)? {
        health.withLock { health in
            guard let since = health.since else { return nil }
            if health.isUnreachable { return (.unreachable, since) }
            return health.refusals >= Self.refusalLimit ? (.unready, since) : nil
        }
    }

    var isUnreachable: Bool { health.withLock(\.isUnreachable) }

    /// The time from the beginning of the first check that has found the service ready to the end of the last one; nil if it is
    /// not.
    var readiness: ClosedRange<NIODeadline>? {
        health.withLock { health in
            guard health.readiness == .ready, !health.isFailing, let since = health.since else { return nil }
            return since...health.lastCheck
        }
    }

    /// Whether a check has found the service ready, as opposed to the initial assumption.
    var isServing: Bool {
        health.withLock { $0.readiness == .ready && $0.wasEverReady }
    }

    /// Whether a check has ever found the service ready at this address.
    var hasServed: Bool { health.withLock(\.wasEverReady) }

    /// Whether the address is in use though the last check has failed.
    var isDoubtful: Bool { health.withLock { $0.isFailing && $0.readiness == .ready } }

    var isChecked: Bool { health.withLock(\.wasEverChecked) }

    /// - Returns: Whether no check is under way.
    func beginCheck(now: NIODeadline = .now()) -> Bool {
        health.withLock { health in
            guard health.checkBegan == nil else { return false }
            health.checkBegan = now
            return true
        }
    }

    /// Records the result of an active check. Checks have to fail for some time before the address is out of use, or one if
    /// its host cannot be reached; one success brings it back and resets its failures. An address that still responds to
    /// requests is only overloaded if it does not respond to a check.
    ///
    /// - Returns: Whether the state changed.
    func checked(_ result: Readiness, now: NIODeadline = .now()) -> Bool {
        health.withLock { health in
            defer { health.hasAnswered = false }
            let began = health.checkBegan ?? now
            health.checkBegan = nil
            health.wasEverChecked = true
            health.isUnreachable = result == .unreachable
            if result == .silent, health.hasAnswered { return false }
            let isReady = result == .ready
            let since = isReady == health.isFailing ? began : health.since ?? began
            (health.since, health.lastCheck) = (since, now)
            health.isFailing = !isReady
            health.refusals = result == .unready ? health.refusals + 1 : 0
            if isReady { health.wasEverReady = true }
            // Where nothing has listened yet, one silent check is enough: no copy that serves is overloaded there.
            let isStarting = !health.wasEverReady && (result == .silent || health.readiness == .silent)
            let isCertain = isReady || isStarting || result == .unreachable || began - since >= Self.failingTime
            guard result != health.readiness, isCertain else { return false }
            health.readiness = result
            (health.failures, health.ejections, health.ejectedUntil) = (0, 0, .uptimeNanoseconds(0))
            return true
        }
    }

    /// Records a complete response.
    func succeeded() {
        health.withLock { health in
            health.failures = 0
            health.ejections = 0
            health.hasAnswered = true
        }
    }

    /// Records a failed connection attempt, or a connection that broke before the response was complete.
    ///
    /// - Returns: How long the address is ejected, if this failure reached the limit.
    func failed(now: NIODeadline) -> TimeAmount? {
        health.withLock { health in
            health.failures += 1
            guard health.failures >= Self.failureLimit, now >= health.ejectedUntil else { return nil }
            let time = Self.firstEjection * (1 << min(health.ejections, Self.longestEjection))
            health.failures = 0
            health.ejections += 1
            health.ejectedUntil = now + time
            return time
        }
    }
}
