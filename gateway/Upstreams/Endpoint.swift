import Contracts
import NIOCore
import Synchronization

/// One address of a service, with what all event loops know of its health.
///
/// It is taken out in two ways: while `/readyz` does not answer 200 (active), and for a growing time after several
/// failures in a row (passive). The second is overruled when no other address is left.
final class Endpoint: Sendable {
    let service: ServiceName
    let address: SocketAddress
    /// For logs: `127.0.0.1:8082`.
    let name: String
    /// Requests that wait for an answer or are being answered.
    let outstanding = Atomic(0)
    private let health = Mutex(Health())

    private struct Health {
        var isReady = true
        var wasEverReady = false
        /// Checks in a row that found it not ready.
        var missedChecks = 0
        /// Whether a request was answered since the last check.
        var hasAnswered = false
        var failures = 0
        var ejections = 0
        var ejectedUntil = NIODeadline.uptimeNanoseconds(0)
    }

    /// Failures in a row that take an address out, and checks that do.
    private static let failureLimit = 3
    private static let checkLimit = 3
    private static let firstEjection = TimeAmount.seconds(1)
    private static let longestEjection = 5

    init(_ service: ServiceName, at address: SocketAddress) {
        self.service = service
        self.address = address
        self.name = "\(address.ipAddress ?? "-"):\(address.port ?? 0)"
    }

    enum State: Sendable {
        case available, ejected, down

        /// The lower, the better.
        var rank: Int {
            switch self {
            case .available: 0
            case .ejected: 1
            case .down: 2
            }
        }
    }

    func state(now: NIODeadline) -> State {
        health.withLock { health in
            health.isReady ? (now < health.ejectedUntil ? .ejected : .available) : .down
        }
    }

    /// Whether the service there is known to be ready, not merely supposed to be.
    var isServing: Bool {
        health.withLock { $0.isReady && $0.wasEverReady }
    }

    /// What the active check saw. Several have to fail before the address is down, one is enough to bring it back; it is
    /// then forgiven its failures.
    ///
    /// - Parameter isSilent: whether there was no answer at all. From an address that answers requests that only means
    ///   that there are many.
    /// - Returns: whether that is news.
    func checked(isReady: Bool, isSilent: Bool = false) -> Bool {
        health.withLock { health in
            defer { health.hasAnswered = false }
            if isSilent, health.hasAnswered { return false }
            if isReady { health.wasEverReady = true }
            health.missedChecks = isReady ? 0 : health.missedChecks + 1
            let isDown = health.missedChecks >= Self.checkLimit
            guard isReady ? !health.isReady : isDown && health.isReady else { return false }
            health = Health(isReady: isReady, wasEverReady: health.wasEverReady)
            return true
        }
    }

    /// A request got an answer.
    func succeeded() {
        health.withLock { health in
            health.failures = 0
            health.ejections = 0
            health.hasAnswered = true
        }
    }

    /// A connection could not be made, or broke before the answer was whole.
    ///
    /// - Returns: how long the address is out, when this was one failure too many.
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
