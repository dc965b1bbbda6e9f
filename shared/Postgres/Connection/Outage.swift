import Synchronization

/// Whether the server at a URL is away, as attempts to connect to it have found.
///
/// While it may be away there is one attempt at a time, and others meanwhile or within `pause` fail with it: each costs a
/// standby, which is asked too, as much as a session.
final class Outage: Sendable {
    private struct State {
        /// A connection was lost or an attempt has failed, and none has succeeded since.
        var isSuspected = false
        /// A first attempt has failed, and then another that began after it. One may have taken too long on a busy machine.
        var isKnown = false
        var firstFailure: ContinuousClock.Instant?
        var lastFailure: (error: PostgresError, time: ContinuousClock.Instant)?
        var isTrying = false
        var waiting: [SharedPromise<Void>] = []

        enum Turn {
            case free, alone
            case after(SharedPromise<Void>)
        }

        mutating func turn() throws(PostgresError) -> Turn {
            guard isSuspected else { return .free }
            if let lastFailure, .now - lastFailure.time < Outage.pause { throw lastFailure.error }
            if isTrying {
                let other = SharedPromise<Void>()
                waiting.append(other)
                return .after(other)
            }
            isTrying = true
            return .alone
        }

        mutating func failed(_ error: PostgresError, from start: ContinuousClock.Instant) {
            isSuspected = true
            lastFailure = (error, .now)
            if let firstFailure {
                isKnown = isKnown || start >= firstFailure
            } else {
                firstFailure = .now
            }
        }

        mutating func ended() { self = State() }

        mutating func takeWaiting() -> [SharedPromise<Void>] {
            isTrying = false
            defer { waiting = [] }
            return waiting
        }
    }

    private let state = Mutex(State())

    /// The time between attempts.
    private static let pause = Duration.milliseconds(250)

    /// Whether calls need not wait for long.
    var isKnown: Bool { state.withLock(\.isKnown) }

    /// Records that the server does not answer on open connections.
    func began() { state.withLock { ($0.isSuspected, $0.isKnown) = (true, true) } }

    /// Records that the server has ended a connection.
    func suspect() { state.withLock { $0.isSuspected = true } }

    /// Records that the server can be reached.
    func ended() { finish(.success(())) { $0.ended() } }

    /// Makes an attempt to connect, or shares the failure of another one.
    func attempt<Connection>(_ connect: () async throws -> Connection) async throws -> Connection {
        let isAlone = try await takeTurn()
        let start = ContinuousClock.now
        do {
            let connection = try await connect()
            ended()
            return connection
        } catch let error as PostgresError where error.isAboutConnectionLimit {
            ended()
            throw error
        } catch let error as PostgresError {
            if isAlone {
                finish(.failure(error)) { $0.failed(error, from: start) }
            } else {
                state.withLock { $0.failed(error, from: start) }
            }
            throw error
        } catch {
            // The task was cancelled: the next one tries.
            if isAlone { finish(.success(())) { _ in } }
            throw error
        }
    }

    /// - Returns: Whether others wait for this attempt.
    private func takeTurn() async throws -> Bool {
        while true {
            switch try state.withLock({ (state) throws(PostgresError) in try state.turn() }) {
            case .free: return false
            case .alone: return true
            case .after(let other): try await other.promise.value()
            }
        }
    }

    private func finish(_ outcome: Result<Void, any Error>, _ change: (inout sending State) -> Void) {
        let waiting = state.withLock { state in
            let waiting = state.takeWaiting()
            change(&state)
            return waiting
        }
        for other in waiting { other.promise.settle(outcome) }
    }
}

extension PostgresError {
    /// Whether a server or pooler that is reachable has as many clients as it allows. libpq reports why it could not
    /// connect as text only.
    fileprivate var isAboutConnectionLimit: Bool {
        ["too many clients", "too many connections", "remaining connection slots", "no more connections allowed"]
            .contains(where: message.contains)
    }
}
