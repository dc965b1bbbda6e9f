import ServiceKit
import TestKit
import Values

@testable import Events

/// Events go from an outbox through two copies of the relay to a subscriber with an inbox. Announcements, requests and
/// answers are lost, late or doubled; relays, their statements and the subscriber fail; some events are refused, for a
/// while or for ever. `RelayDecisions` decides, with its batches, pauses and held names.
struct RelayModel: SimulationModel {
    typealias Party = RelayParty
    typealias Message = RelayMessage

    enum Defect: CaseIterable, Sendable {
        /// Untried events are looked for only after an announcement.
        case doesNotSweep
        /// Deliveries are confirmed before they are sent.
        case confirmsFirst
        /// The inbox keeps no ids.
        case forgetsIDs
        /// An event does not wait for earlier ones of its key.
        case ignoresOrder
        /// A delivery that a relay has leased is never taken again.
        case leasesForEver
        /// A parked event stops later ones of its key.
        case parkedBlocksKey
        /// The pauses between requests grow, also after an answer.
        case neverResets
        /// There is no pause between requests.
        case neverPauses
    }

    static let policy: OutboxRelay.RetryPolicy = {
        var policy = OutboxRelay.RetryPolicy()
        policy.parkAfter = .seconds(10)
        return policy
    }()
    /// Instants are counted from here.
    static let beginning = ContinuousClock.now

    let defect: Defect?
    var broken: BrokenPromise?
    var outbox: SimulatedOutbox
    var subscriber: SimulatedSubscriber
    var relays = [SimulatedRelay(policy), SimulatedRelay(policy)]
    var unanswered = UnansweredRequests()
    /// The number of all requests.
    var requests = 0

    init(defect: Defect? = nil) {
        self.defect = defect
        outbox = SimulatedOutbox(defect: defect)
        subscriber = SimulatedSubscriber(defect: defect)
    }

    /// A fault of two minutes, a lease, a pause and the wait for an earlier event; for each event of a key that is parked
    /// first, a pause and the wait for it.
    var settlingTime: Int64 {
        let bad = outbox.rows.filter { $0.event.kind != .fine && !$0.isParked }
        let most = (0..<SimulatedEvent.keys).map { key in bad.count { $0.event.key == key } }.max() ?? 0
        return 300_000 + 120_000 * Int64(most)
    }

    // MARK: From outside

    func next(using random: inout SplitMix) -> (pause: Int64, happening: Happening<Self>.Kind) {
        let pause: Int64 = [0, 5, 50, 500, 3_000, 15_000].randomElement(using: &random) ?? 0
        let fault = Fault.random(on: Self.links, of: Self.crashing, longest: 60_000, using: &random)
        if let fault, Int.random(in: 0..<3, using: &random) == 0 { return (pause, .fault(fault)) }
        let key = Int.random(in: 0..<SimulatedEvent.keys, using: &random)
        let time = Int64.random(in: 1...60_000, using: &random)
        let reason = Bool.random(using: &random) ? EventRefusals.Reason.unsubscribed : .unsupported
        let input: RelayInput =
            switch Int.random(in: 0..<48, using: &random) {
            case 0...1: .publish(key: key, .malformed)
            case 2...3: .publish(key: key, .poisonous)
            case 4...5: .refuse(name: SimulatedEvent.name(ofKey: key), reason, for: time)
            case 6...7: .close(for: time * 2)
            case 8: .fail(for: time)
            case 9...10: .failStatement(relay: key % 2)
            default: .publish(key: key, .fine)
            }
        return (pause, .input(input))
    }

    private static let crashing: [Party] = [.relay(0), .relay(1), .subscriber]
    private static let links: [(Party, Party)] = [0, 1].flatMap { number -> [(Party, Party)] in
        [(.relay(number), .subscriber), (.subscriber, .relay(number)), (.database, .relay(number))]
    }

    func isRoutine(_ message: Message) -> Bool { true }

    mutating func begin(_ effects: inout Effects<Self>) {
        for number in relays.indices { restart(.relay(number), &effects) }
    }

    mutating func handle(_ input: RelayInput, _ effects: inout Effects<Self>) {
        switch input {
        case .publish(let key, let kind):
            let number = outbox.publish(key: key, kind, at: effects.now)
            effects.note("number \(number)")
            for number in relays.indices { effects.send(.announced, from: .database, to: .relay(number)) }
        case .refuse(let name, let reason, let time):
            subscriber.refuse(name, reason, until: effects.now + time)
        case .close(let time): subscriber.close(until: effects.now + time)
        case .fail(let time): subscriber.fail(until: effects.now + time)
        case .failStatement(let number): relays[number].failsStatement = true
        }
    }

    // MARK: Steps

    mutating func receive(_ message: Message, at party: Party, from sender: Party, _ effects: inout Effects<Self>) {
        switch (party, message) {
        case (.relay(let number), .announced): wake(.fresh, of: number, &effects)
        case (.relay(let number), .answer(let answer, let request)):
            if case .closed = answer {} else { unanswered.answered() }
            end(request, at: number, outcome(of: answer), &effects)
        case (.subscriber, .deliver(let events, let request)):
            if let answer = subscriber.receive(events, request, at: effects.now) {
                effects.send(.answer(answer, request: request), from: party, to: sender)
            } else {
                let time: Int64 = [5, 50, 500, 8_000].randomElement(using: &effects.random) ?? 5
                effects.wake(
                    party,
                    after: Int64.random(in: 1...time, using: &effects.random),
                    for: .commit(request: request)
                )
            }
        default: break
        }
    }

    mutating func wake(_ party: Party, for timer: RelayTimer, _ effects: inout Effects<Self>) {
        switch (party, timer) {
        case (.relay(let number), .read(let lane, let pause)) where relays[number][lane].pause == pause:
            relays[number][lane].isAsleep = false
            read(lane, at: number, &effects)
        case (.relay(let number), .take(let reading)): take(reading, at: number, &effects)
        case (.relay(let number), .timeout(let request)):
            end(request, at: number, .failed(.unavailable("subscriber")), &effects)
        case (.subscriber, .commit(let request)):
            guard let (answer, promise) = subscriber.commit(request, &effects) else { return }
            broken = promise
            effects.send(.answer(answer, request: request), from: party, to: .relay(request % 2))
        default: break
        }
    }

    mutating func crash(_ party: Party) {
        switch party {
        case .relay(let number): relays[number] = SimulatedRelay(Self.policy)
        case .subscriber: subscriber.crash()
        case .database: break
        }
    }

    mutating func restart(_ party: Party, _ effects: inout Effects<Self>) {
        guard case .relay(let number) = party else { return }
        for lane in [Delivery.Lane.fresh, .tried] { pause(lane, of: number, .none, &effects) }
    }

    func brokenAtEnd() -> BrokenPromise? {
        for event in outbox.published where event.kind == .fine && !subscriber.applied.contains(event.number) {
            return BrokenPromise("every event is applied", "\(event) is not")
        }
        for row in outbox.rows where !row.isParked {
            return BrokenPromise("every delivery is confirmed or parked", "that of \(row.event) is not")
        }
        return nil
    }
}
