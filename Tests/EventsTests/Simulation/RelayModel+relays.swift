import FoundationEssentials
import ServiceKit
import TestKit
import Values

@testable import Events

/// What `SubscriberRelay` does with the decisions.
extension RelayModel {
    private static let deadline: Int64 = 5_000

    private func instant(_ effects: Effects<Self>) -> ContinuousClock.Instant {
        Self.beginning + .milliseconds(effects.now)
    }

    // MARK: Pauses

    mutating func wake(_ lane: Delivery.Lane, of number: Int, _ effects: inout Effects<Self>) {
        if relays[number][lane].isAsleep {
            pause(lane, of: number, .none, &effects)
        } else {
            relays[number][lane].isWoken = true
        }
    }

    mutating func pause(
        _ lane: Delivery.Lane,
        of number: Int,
        _ pause: RelayDecisions.Pause,
        _ effects: inout Effects<Self>
    ) {
        var state = relays[number][lane]
        state.pause += 1
        // At least the time of a statement.
        var time = Int64.random(in: 1...5, using: &effects.random)
        var isTimed = true
        switch pause {
        case .none: state.isAsleep = false
        case .rest(let rest): time += rest.milliseconds
        case .sleep where state.isWoken: state.isWoken = false
        case .sleep(let longest):
            state.isAsleep = true
            time += longest.milliseconds
            isTimed = defect != .doesNotSweep || lane == .tried
        }
        relays[number][lane] = state
        if isTimed { effects.wake(.relay(number), after: time, for: .read(lane, pause: state.pause)) }
    }

    /// Rests after a failure. The first one after an answer is followed by a short pause.
    private mutating func rest(
        _ lane: Delivery.Lane,
        of number: Int,
        _ time: Duration,
        _ effects: inout Effects<Self>
    ) {
        var time = time
        if defect == .neverResets { time = relays[number][lane].backoff.next(using: &effects.random) }
        if defect == .neverPauses { time = .zero }
        if relays[number][lane].misses == 1, time > Self.policy.firstPause {
            broken = BrokenPromise("a subscriber that has answered is soon asked again", "after \(time)")
        }
        pause(lane, of: number, .rest(time), &effects)
    }

    // MARK: Lanes

    mutating func read(_ lane: Delivery.Lane, at number: Int, _ effects: inout Effects<Self>) {
        let limit = relays[number].decisions.limit(of: lane, at: instant(effects))
        let reading = outbox.read(lane, limit: limit, at: effects.now)
        effects.wake(.relay(number), after: Int64.random(in: 1...20, using: &effects.random), for: .take(reading))
    }

    mutating func take(_ reading: SimulatedOutbox.Reading, at number: Int, _ effects: inout Effects<Self>) {
        var taken = DeliveryStore.Taken()
        let isTaken = execute(at: number, &effects) { outbox, _ in taken = outbox.take(reading, Self.policy) }
        guard isTaken else { return pause(reading.lane, of: number, .rest(.seconds(1)), &effects) }
        let now = instant(effects)
        let step = relays[number].decisions.take(taken, on: reading.lane, at: now, using: &effects.random)
        follow(step, reading.lane, at: number, &effects)
    }

    /// Performs a step, and sends its requests.
    private mutating func follow(
        _ step: RelayDecisions.Step,
        _ lane: Delivery.Lane,
        at number: Int,
        _ effects: inout Effects<Self>
    ) {
        guard perform(step.actions, at: number, &effects) else {
            return pause(lane, of: number, .rest(.seconds(1)), &effects)
        }
        switch (step.pause, lane) {
        case (.rest(let time), _): rest(lane, of: number, time, &effects)
        case (let time?, _): pause(lane, of: number, time, &effects)
        case (nil, .fresh):
            relays[number].fresh.requests = step.requests
            guard let batch = step.requests.first else { return pause(.fresh, of: number, .none, &effects) }
            send(batch, on: .fresh, at: number, &effects)
        case (nil, .tried):
            relays[number].tried.inFlight = step.requests.count
            relays[number].tried.hasAnswered = step.requests.isEmpty
            for batch in step.requests { send(batch, on: .tried, at: number, &effects) }
            endTried(at: number, &effects)
        }
    }

    private mutating func endTried(at number: Int, _ effects: inout Effects<Self>) {
        let lane = relays[number].tried
        guard lane.inFlight == 0 else { return }
        wake(.fresh, of: number, &effects)
        let decision = relays[number].decisions.endTried(hasAnswered: lane.hasAnswered, using: &effects.random)
        relays[number].tried.misses = lane.hasAnswered ? 0 : lane.misses + 1
        guard case .rest(let time) = decision else { return pause(.tried, of: number, decision, &effects) }
        rest(.tried, of: number, time, &effects)
    }

    // MARK: Requests

    private mutating func send(
        _ batch: DeliveryBatch,
        on lane: Delivery.Lane,
        at number: Int,
        _ effects: inout Effects<Self>
    ) {
        // Its last bit is the relay's number, for the answer.
        let request = requests * 2 + number
        requests += 1
        broken = broken ?? unanswered.sent(at: effects.now)
        if defect == .confirmsFirst { outbox.confirm(batch.deliveries, at: effects.now) }
        relays[number].waiting[request] = SimulatedRelay.Request(lane: lane, batch: batch)
        let events = batch.deliveries.map { outbox.event($0) }
        effects.send(.deliver(events, request: request), from: .relay(number), to: .subscriber)
        effects.wake(.relay(number), after: Self.deadline, for: .timeout(request: request))
    }

    func outcome(of answer: SimulatedAnswer) -> RelayDecisions.Outcome {
        switch answer {
        case .applied: return .delivered
        case .closed: return .failed(.unavailable("subscriber"))
        case .failed: return .failed(.refused("subscriber", status: 500))
        case .refused(let list) where list.isEmpty: return .failed(.refused("subscriber", status: EventRefusals.status))
        case .refused(let list):
            var refusals: [UUID: EventRefusals.Refusal] = [:]
            for refusal in list {
                let id = outbox.published[Int(refusal.event)].id
                refusals[id] = EventRefusals.Refusal(id: id, reason: refusal.reason, message: "\(refusal.reason)")
            }
            return .refused(refusals)
        }
    }

    mutating func end(
        _ number: Int,
        at relay: Int,
        _ outcome: RelayDecisions.Outcome,
        _ effects: inout Effects<Self>
    ) {
        guard let request = relays[relay].waiting.removeValue(forKey: number) else { return }
        let now = instant(effects)
        switch request.lane {
        case .fresh:
            if case .failed = outcome { relays[relay].fresh.misses += 1 } else { relays[relay].fresh.misses = 0 }
            let requests = relays[relay].fresh.requests
            let step = relays[relay].decisions.end(outcome, of: requests, at: now, using: &effects.random)
            follow(step, .fresh, at: relay, &effects)
        case .tried:
            let end = relays[relay].decisions.end(outcome, ofTried: request.batch, at: now, using: &effects.random)
            let isDone = perform(end.actions, at: relay, &effects)
            relays[relay].tried.inFlight -= 1
            relays[relay].tried.hasAnswered = relays[relay].tried.hasAnswered || isDone && end.hasAnswered
            endTried(at: relay, &effects)
        }
    }

    // MARK: Actions

    /// - Returns: Whether none has failed.
    private mutating func perform(
        _ actions: [RelayDecisions.Action],
        at number: Int,
        _ effects: inout Effects<Self>
    ) -> Bool {
        for action in actions {
            var parked: [Int64] = []
            let isDone =
                switch action {
                case .confirm(let deliveries):
                    execute(at: number, &effects) { $0.confirm(deliveries, at: $1) }
                case .setBack(let failures):
                    execute(at: number, &effects) {
                        parked = $0.setBack(failures, parkAfter: Self.policy.parkAfter, at: $1)
                    }
                case .putOff(let deliveries, let pause, let error):
                    execute(at: number, &effects) {
                        $0.putOff(deliveries, for: pause, hasFailed: error != nil, at: $1)
                    }
                case .expectRetry(let pause):
                    expectRetry(in: pause, at: number, effects)
                case .wake(let lane):
                    signal(lane, of: number, &effects)
                }
            if !parked.isEmpty { effects.note("parks \(parked)") }
            guard isDone else { return false }
        }
        return true
    }

    private mutating func expectRetry(in pause: Duration, at number: Int, _ effects: Effects<Self>) -> Bool {
        relays[number].decisions.expectRetry(in: pause, from: instant(effects))
        return true
    }

    private mutating func signal(_ lane: Delivery.Lane, of number: Int, _ effects: inout Effects<Self>) -> Bool {
        wake(lane, of: number, &effects)
        return true
    }

    /// Executes a statement. One that fails may have had its effect.
    private mutating func execute(
        at number: Int,
        _ effects: inout Effects<Self>,
        _ statement: (inout SimulatedOutbox, Int64) -> Void
    ) -> Bool {
        let fails = relays[number].failsStatement
        relays[number].failsStatement = false
        if !fails || Bool.random(using: &effects.random) { statement(&outbox, effects.now) }
        if fails { effects.note("a statement fails") }
        return !fails
    }
}
