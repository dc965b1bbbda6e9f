import FoundationEssentials
import TestKit

@testable import Payments

/// A copy of the payments service: the work that waits for PortOne, in memory.
struct SettlementServer: Sendable {
    enum Work: Sendable {
        case report(ImpUID)
        case check(code: String, askedAt: Date, givingUp: Bool)
        /// A refund that needs the state of its payment.
        case refund(Refund)
        /// A refund that PortOne was asked for.
        case cancel(Refund)
    }

    private var waiting: [Int: Work] = [:]
    /// Not reset by a crash, so that an old answer is not taken for a new one.
    private var last = 0

    mutating func crash() { waiting = [:] }

    mutating func start(
        _ work: Work,
        _ request: PortOneRequest,
        _ party: SettlementParty,
        _ effects: inout Effects<SettlementModel>
    ) {
        last += 1
        waiting[last] = work
        effects.send(.ask(request, number: last), from: party, to: .portOne)
        // The timeout of `PortOneClient`.
        effects.wake(party, after: 10_000, for: .timeout(last))
    }

    mutating func end(_ number: Int) -> Work? { waiting.removeValue(forKey: number) }
}
