import Contracts
import ServiceLifecycle
import Synchronization

/// Refreshes sessions on behalf of phones, each once however many of their requests wait for it.
///
/// All event loops of a gateway share one of these; between gateways the auth service decides, and gives the same
/// successor to all. While auth is away a refresh is tried again for as long as somebody waits for it.
final class Refreshes: Service, Sendable {
    /// What is to be refreshed, and for whom: whether a replaced token is still good depends on where it comes from.
    struct Wish: Sendable, Hashable {
        var app: App
        var session: String
        var token: String
        var address: String
        var userAgent: String?
    }

    /// What came of it.
    enum Outcome: Sendable {
        case tokens(AuthAPI.Refreshed.Tokens)
        case refused(AuthAPI.Refreshed.Refusal)
        /// Auth is away, or too many wait already.
        case unavailable
    }

    /// A place among those who wait.
    struct Ticket: Sendable, Equatable {
        fileprivate var wish: Wish
        fileprivate var number: UInt64
    }

    enum Joined {
        case settled(Outcome)
        case waiting(Ticket)
    }

    typealias Done = @Sendable (Ticket, Outcome) -> Void
    typealias Call = @Sendable (Wish) async throws -> AuthAPI.Refreshed

    /// What was counted since the start.
    struct Counts: Sendable {
        /// Answers of auth: those with tokens, and refusals.
        var refreshed = 0
        var refused = 0
        /// Requests that took over what another had waited for a moment ago.
        var reused = 0
        /// Requests that were not let in, since too many waited.
        var turnedAway = 0
        /// Requests that wait now.
        var waiting = 0
    }

    private struct Flight {
        var waiting: [UInt64: Done] = [:]
    }

    private struct Session {
        var waiting = 0
        var flights = 0
    }

    private struct State {
        var flights: [Wish: Flight] = [:]
        var sessions: [String: Session] = [:]
        var recent = RecentOutcomes()
        var counts = Counts()
        var lastNumber: UInt64 = 0
        var hasStopped = false
    }

    private let state = Mutex(State())
    private let departures = AsyncStream<Wish>.makeStream()
    private let waiters: Int
    private let call: Call

    /// The most refreshes of one session at a time: more tokens than its newest and a predecessor are not good.
    private static let flightsPerSession = 8
    private static let pauses: ClosedRange<Duration> = .milliseconds(25)...(.milliseconds(250))

    /// - Parameters:
    ///   - waiters: the most requests of one session that wait.
    ///   - call: asks the auth service; must have a deadline of its own.
    init(waiters: Int, call: @escaping Call) {
        self.waiters = waiters
        self.call = call
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Waits for a refresh; starts it when there is none.
    ///
    /// - Parameter done: called once, on any thread, unless the ticket is given back before.
    func join(_ wish: Wish, _ done: @escaping Done) -> Joined {
        let (joined, departs) = state.withLock { state in join(wish, done, &state) }
        if departs { departures.continuation.yield(wish) }
        return joined
    }

    private func join(_ wish: Wish, _ done: @escaping Done, _ state: inout State) -> (Joined, departs: Bool) {
        if let outcome = state.recent.outcome(of: wish, now: .now) {
            state.counts.reused += 1
            return (.settled(outcome), false)
        }
        let session = state.sessions[wish.session] ?? Session()
        let isNew = state.flights[wish] == nil
        guard !state.hasStopped, session.waiting < waiters, !isNew || session.flights < Self.flightsPerSession else {
            state.counts.turnedAway += 1
            return (.settled(.unavailable), false)
        }
        state.lastNumber += 1
        state.flights[wish, default: Flight()].waiting[state.lastNumber] = done
        state.sessions[wish.session, default: Session()].waiting += 1
        if isNew { state.sessions[wish.session, default: Session()].flights += 1 }
        state.counts.waiting += 1
        return (.waiting(Ticket(wish: wish, number: state.lastNumber)), isNew)
    }

    /// Waits no longer.
    func leave(_ ticket: Ticket) {
        state.withLock { state in
            guard state.flights[ticket.wish]?.waiting.removeValue(forKey: ticket.number) != nil else { return }
            state.sessions[ticket.wish.session]?.waiting -= 1
            state.counts.waiting -= 1
        }
    }

    func run() async throws {
        await withDiscardingTaskGroup { group in
            for await wish in departures.stream.cancelOnGracefulShutdown() {
                group.addTask { await self.fly(wish) }
            }
            group.cancelAll()
        }
        let left = state.withLock { state in
            state.hasStopped = true
            return Array(state.flights.keys)
        }
        for wish in left { land(wish, .unavailable) }
    }

    private func fly(_ wish: Wish) async {
        var pause = Self.pauses.lowerBound
        while isAwaited(wish) {
            if let outcome = try? await Outcome(call(wish)) { return land(wish, outcome) }
            guard !Task.isCancelled else { return land(wish, .unavailable) }
            try? await Task.sleep(for: pause * Double.random(in: 0.5...1))
            pause = min(pause * 2, Self.pauses.upperBound)
        }
    }

    /// Whether anybody still waits; if not, the flight has ended.
    private func isAwaited(_ wish: Wish) -> Bool {
        state.withLock { state in
            if state.flights[wish]?.waiting.isEmpty == false { return true }
            remove(wish, &state)
            return false
        }
    }

    private func land(_ wish: Wish, _ outcome: Outcome) {
        let waiting = state.withLock { state in
            state.counts.note(outcome)
            state.recent.add(outcome, of: wish, now: .now)
            return remove(wish, &state)
        }
        for (number, done) in waiting { done(Ticket(wish: wish, number: number), outcome) }
    }

    @discardableResult
    private func remove(_ wish: Wish, _ state: inout State) -> [UInt64: Done] {
        guard let flight = state.flights.removeValue(forKey: wish) else { return [:] }
        state.counts.waiting -= flight.waiting.count
        state.sessions[wish.session]?.flights -= 1
        state.sessions[wish.session]?.waiting -= flight.waiting.count
        if state.sessions[wish.session]?.flights == 0 { state.sessions[wish.session] = nil }
        return flight.waiting
    }
}

extension Refreshes.Outcome {
    /// nil for an answer that says nothing.
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

extension Refreshes.Counts {
    fileprivate mutating func note(_ outcome: Refreshes.Outcome) {
        switch outcome {
        case .tokens: refreshed += 1
        case .refused: refused += 1
        case .unavailable: break
        }
    }
}

/// What refreshes came to within the last half second, the cool-down that Anlaka's client announces (Anlaka contract 3.2).
struct RecentOutcomes {
    static let window = Duration.milliseconds(500)

    private var young: [Refreshes.Wish: (outcome: Refreshes.Outcome, at: ContinuousClock.Instant)] = [:]
    private var old: [Refreshes.Wish: (outcome: Refreshes.Outcome, at: ContinuousClock.Instant)] = [:]
    private var youngSince = ContinuousClock.now

    mutating func outcome(of wish: Refreshes.Wish, now: ContinuousClock.Instant) -> Refreshes.Outcome? {
        age(now)
        guard let found = young[wish] ?? old[wish], now - found.at < Self.window else { return nil }
        return found.outcome
    }

    mutating func add(_ outcome: Refreshes.Outcome, of wish: Refreshes.Wish, now: ContinuousClock.Instant) {
        age(now)
        if case .unavailable = outcome { return }
        young[wish] = (outcome, now)
    }

    private mutating func age(_ now: ContinuousClock.Instant) {
        guard now - youngSince >= Self.window else { return }
        old = now - youngSince < Self.window * 2 ? young : [:]
        young = [:]
        youngSince = now
    }
}
