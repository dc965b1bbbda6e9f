import TestKit

@testable import Events

/// The subscriber with its inbox: what it has applied, and the ids of these events, change in one transaction.
struct SimulatedSubscriber: Sendable {
    private(set) var applied: Set<Int64> = []
    /// The last event of each key.
    private var last: [Int: Int64] = [:]
    /// Transactions that are not committed, by their requests.
    private var open: [Int: [SimulatedEvent]] = [:]
    /// Until when a name is refused.
    private var refused: [String: (reason: EventRefusals.Reason, until: Int64)] = [:]
    private var closedUntil: Int64 = 0
    private var failingUntil: Int64 = 0
    let defect: RelayModel.Defect?

    init(defect: RelayModel.Defect?) { self.defect = defect }

    mutating func crash() { open = [:] }

    mutating func refuse(_ name: String, _ reason: EventRefusals.Reason, until instant: Int64) {
        refused[name] = (reason, instant)
    }

    mutating func close(until instant: Int64) { closedUntil = max(closedUntil, instant) }

    mutating func fail(until instant: Int64) { failingUntil = max(failingUntil, instant) }

    /// - Returns: The answer; nil if a transaction has begun.
    mutating func receive(_ events: [SimulatedEvent], _ request: Int, at now: Int64) -> SimulatedAnswer? {
        guard now >= closedUntil else { return .closed }
        guard now >= failingUntil else { return .failed }
        var refusals: [(event: Int64, reason: EventRefusals.Reason)] = []
        for event in events {
            if event.kind == .malformed {
                refusals.append((event.number, .malformed))
            } else if let refusal = refused[event.name], now < refusal.until {
                refusals.append((event.number, refusal.reason))
            }
        }
        guard refusals.isEmpty else { return .refused(refusals) }
        open[request] = events
        return nil
    }

    /// - Returns: The answer, and a promise that the transaction has broken.
    mutating func commit(_ request: Int, _ effects: inout Effects<RelayModel>) -> (SimulatedAnswer, BrokenPromise?)? {
        guard let events = open.removeValue(forKey: request) else { return nil }
        let news = events.filter { defect == .forgetsIDs || !applied.contains($0.number) }
        guard !news.contains(where: { $0.kind == .poisonous }) else {
            return (.refused(events.count == 1 ? [(events[0].number, .malformed)] : []), nil)
        }
        if !news.isEmpty { effects.note("applies \(news)") }
        for event in news {
            guard applied.insert(event.number).inserted else {
                return (.applied, BrokenPromise("an event is applied once", "\(event)"))
            }
            if let before = last[event.key], before > event.number {
                return (.applied, BrokenPromise("events of a key are applied in order", "\(event) after \(before)"))
            }
            last[event.key] = event.number
        }
        return (.applied, nil)
    }
}
