/// The outcomes of refreshes within a window of time before now.
struct RecentOutcomes {
    private typealias Outcomes =
        [RefreshCoordinator.RefreshRequest: (outcome: RefreshCoordinator.Outcome, at: ContinuousClock.Instant)]

    private let window: Duration
    private var young: Outcomes = [:]
    private var old: Outcomes = [:]
    private var youngSince: ContinuousClock.Instant

    init(window: Duration, now: ContinuousClock.Instant) {
        self.window = window
        youngSince = now
    }

    mutating func outcome(of request: RefreshCoordinator.RefreshRequest, now: ContinuousClock.Instant)
        -> RefreshCoordinator.Outcome?
    {
        age(now)
        guard let found = young[request] ?? old[request], now - found.at < window else { return nil }
        return found.outcome
    }

    mutating func add(
        _ outcome: RefreshCoordinator.Outcome,
        of request: RefreshCoordinator.RefreshRequest,
        now: ContinuousClock.Instant
    ) {
        age(now)
        if case .unavailable = outcome { return }
        young[request] = (outcome, now)
    }

    private mutating func age(_ now: ContinuousClock.Instant) {
        guard now - youngSince >= window else { return }
        old = now - youngSince < window * 2 ? young : [:]
        young = [:]
        youngSince = now
    }
}
