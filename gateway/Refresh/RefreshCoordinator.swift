import Contracts
import ServiceLifecycle
import Synchronization

/// Refreshes sessions on behalf of clients. Concurrent requests with the same refresh token share one refresh.
///
/// All event loops of a gateway share one coordinator. Across gateways the auth service returns the same successor
/// token to all. While auth is unavailable, a refresh is retried for as long as a request waits for it.
final class RefreshCoordinator: Service, Sendable {
    /// A refresh and its origin. Auth considers the origin when it decides whether a replaced token is still accepted.
    struct RefreshRequest: Sendable, Hashable {
        var app: App
        var session: String
        var token: String
        var address: String
        var userAgent: String?
    }

    /// The outcome of a refresh.
    enum Outcome: Sendable {
        case tokens(AuthAPI.Refreshed.Tokens)
        case refused(AuthAPI.Refreshed.Refusal)
        /// Auth is unavailable, or too many requests wait already.
        case unavailable
    }

    /// Identifies a waiting request.
    struct Ticket: Sendable, Equatable {
        fileprivate var request: RefreshRequest
        fileprivate var number: UInt64
    }

    enum WaitResult {
        /// The outcome of an identical refresh is recent, or the request cannot wait.
        case completed(Outcome)
        case waiting(Ticket)
    }

    typealias Done = @Sendable (Ticket, Outcome) -> Void
    typealias Call = @Sendable (RefreshRequest) async throws -> AuthAPI.Refreshed

    /// The counters since the start, and the current number of waiting requests.
    struct Counts: Sendable {
        /// Responses of auth with tokens, and refusals.
        var refreshed = 0
        var refused = 0
        /// Requests that reused the recent outcome of an identical refresh.
        var reused = 0
        /// Requests refused because too many were waiting.
        var rejected = 0
        /// Requests that are waiting now.
        var waiting = 0
    }

    private struct InFlightRefresh {
        var waiting: [UInt64: Done] = [:]
    }

    private struct Session {
        var waiting = 0
        var inFlight = 0
    }

    private struct State {
        var inFlight: [RefreshRequest: InFlightRefresh] = [:]
        var sessions: [String: Session] = [:]
        var recent: RecentOutcomes
        var counts = Counts()
        var lastNumber: UInt64 = 0
        var hasStopped = false
    }

    private let state: Mutex<State>
    private let queue = AsyncStream<RefreshRequest>.makeStream()
    private let waiters: Int
    private let call: Call

    /// The maximum number of concurrent refreshes per session. Only the newest token and its predecessor can be valid.
    private static let refreshesPerSession = 8
    private static let pauses: ClosedRange<Duration> = .milliseconds(25)...(.milliseconds(250))

    /// - Parameters:
    ///   - waiters: The maximum number of waiting requests per session.
    ///   - reuse: The time for which an outcome is reused.
    ///   - call: Calls the auth service; must have a deadline of its own.
    init(waiters: Int, reuse: Duration, call: @escaping Call) {
        state = Mutex(State(recent: RecentOutcomes(window: reuse, now: .now)))
        self.waiters = waiters
        self.call = call
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Waits for a refresh, and starts it if it is not in flight.
    ///
    /// - Parameter done: Called once, on any thread, unless `cancel` is called first.
    func wait(for request: RefreshRequest, _ done: @escaping Done) -> WaitResult {
        let (result, isNew) = state.withLock { state in wait(for: request, done, &state) }
        if isNew { queue.continuation.yield(request) }
        return result
    }

    private func wait(
        for request: RefreshRequest,
        _ done: @escaping Done,
        _ state: inout State
    ) -> (WaitResult, isNew: Bool) {
        if let outcome = state.recent.outcome(of: request, now: .now) {
            state.counts.reused += 1
            return (.completed(outcome), false)
        }
        let session = state.sessions[request.session] ?? Session()
        let isNew = state.inFlight[request] == nil
        guard !state.hasStopped, session.waiting < waiters, !isNew || session.inFlight < Self.refreshesPerSession else {
            state.counts.rejected += 1
            return (.completed(.unavailable), false)
        }
        state.lastNumber += 1
        state.inFlight[request, default: InFlightRefresh()].waiting[state.lastNumber] = done
        state.sessions[request.session, default: Session()].waiting += 1
        if isNew { state.sessions[request.session, default: Session()].inFlight += 1 }
        state.counts.waiting += 1
        return (.waiting(Ticket(request: request, number: state.lastNumber)), isNew)
    }

    /// Stops waiting.
    func cancel(_ ticket: Ticket) {
        state.withLock { state in
            guard state.inFlight[ticket.request]?.waiting.removeValue(forKey: ticket.number) != nil else { return }
            state.sessions[ticket.request.session]?.waiting -= 1
            state.counts.waiting -= 1
        }
    }

    func run() async throws {
        await withDiscardingTaskGroup { group in
            for await request in queue.stream.cancelOnGracefulShutdown() {
                group.addTask { await self.perform(request) }
            }
            group.cancelAll()
        }
        let left = state.withLock { state in
            state.hasStopped = true
            return Array(state.inFlight.keys)
        }
        for request in left { complete(request, .unavailable) }
    }

    private func perform(_ request: RefreshRequest) async {
        var pause = Self.pauses.lowerBound
        while isAwaited(request) {
            if let outcome = try? await Outcome(call(request)) { return complete(request, outcome) }
            guard !Task.isCancelled else { return complete(request, .unavailable) }
            try? await Task.sleep(for: pause * Double.random(in: 0.5...1))
            pause = min(pause * 2, Self.pauses.upperBound)
        }
    }

    /// Whether any request still waits for the refresh; if not, the refresh is removed.
    private func isAwaited(_ request: RefreshRequest) -> Bool {
        state.withLock { state in
            if state.inFlight[request]?.waiting.isEmpty == false { return true }
            remove(request, &state)
            return false
        }
    }

    private func complete(_ request: RefreshRequest, _ outcome: Outcome) {
        let waiting = state.withLock { state in
            state.counts.note(outcome)
            state.recent.add(outcome, of: request, now: .now)
            return remove(request, &state)
        }
        for (number, done) in waiting { done(Ticket(request: request, number: number), outcome) }
    }

    @discardableResult
    private func remove(_ request: RefreshRequest, _ state: inout State) -> [UInt64: Done] {
        guard let refresh = state.inFlight.removeValue(forKey: request) else { return [:] }
        state.counts.waiting -= refresh.waiting.count
        state.sessions[request.session]?.inFlight -= 1
        state.sessions[request.session]?.waiting -= refresh.waiting.count
        if state.sessions[request.session]?.inFlight == 0 { state.sessions[request.session] = nil }
        return refresh.waiting
    }
}

extension RefreshCoordinator.Outcome {
    /// nil for a response with neither tokens nor a refusal.
    fileprivate init?(_ answer: AuthAPI.Refreshed) {
        if let tokens = answer.tokens {
            self = .tokens(tokens)
        } else if let refusal = answer.refusal {
            self = .refused(refusal)
        } else {
            return nil
        }
    }
}

extension RefreshCoordinator.Counts {
    fileprivate mutating func note(_ outcome: RefreshCoordinator.Outcome) {
        switch outcome {
        case .tokens: refreshed += 1
        case .refused: refused += 1
        case .unavailable: break
        }
    }
}
