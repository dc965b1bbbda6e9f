import Contracts
import FoundationEssentials
import Synchronization
import TestKit

/// What everybody has seen: what players may guess from, and what the end is held against.
final class CrashRecord: Sendable {
    private struct State {
        var owners: [SeatID: AccountID] = [:]
        var requests: [SeatID: [AccountID]] = [:]
        var answers: [String: Int] = [:]
        var defects: [String] = []
        var journeys: [Int64] = []
        var bodies: [Int64: String] = [:]
        var shown: [Int: String] = [:]
        var messages = 0
    }

    private let state = Mutex(State())

    // MARK: Guesses

    /// Somebody was told that they sit on a seat now.
    func sat(_ account: AccountID, on seat: SeatID) {
        state.withLock { state in
            for (other, owner) in state.owners where owner == account { state.owners[other] = nil }
            state.owners[seat] = account
            state.requests[seat] = nil
        }
    }

    func left(_ account: AccountID) {
        state.withLock { state in
            for (seat, owner) in state.owners where owner == account { state.owners[seat] = nil }
        }
    }

    func wished(_ account: AccountID, for seat: SeatID) {
        state.withLock { $0.requests[seat, default: []].append(account) }
    }

    /// Who is thought to sit where, by seat.
    var owners: [SeatID: AccountID] { state.withLock { $0.owners } }

    func requests(for seat: SeatID) -> [AccountID] { state.withLock { $0.requests[seat] ?? [] } }

    // MARK: Evidence

    func count(_ action: String, _ outcome: String) {
        state.withLock { $0.answers["\(action) \(outcome)", default: 0] += 1 }
    }

    func defect(_ sentence: String) { state.withLock { $0.defects.append(sentence) } }

    /// A journey that was confirmed.
    func started(journey: Int64) { state.withLock { $0.journeys.append(journey) } }

    /// A snapshot that a socket got. Whichever copy of the service sends it, a message has one body.
    func shown(_ body: String, id: Int64, on socket: Int) {
        state.withLock { state in
            state.messages += 1
            state.shown[socket] = body
            let known = state.bodies[id]
            if known == nil {
                state.bodies[id] = body
            } else if known != body {
                state.defects.append("message \(id) has two bodies:\n\(known ?? "")\n\(body)")
            }
        }
    }

    var defects: [String] { state.withLock { $0.defects } }
    var journeys: [Int64] { state.withLock { $0.journeys } }
    /// What each socket shows.
    var shown: [Int: String] { state.withLock { $0.shown } }

    var summary: String {
        state.withLock { state in
            let answers = state.answers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            let total = state.answers.values.reduce(0, +)
            return "\(total) calls, \(state.messages) snapshots; \(answers.joined(separator: ", "))"
        }
    }
}
