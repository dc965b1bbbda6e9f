import Contracts
import FoundationEssentials
import Synchronization
import TestKit

/// The observations of all passengers: the players choose their requests from them, and the final checks use them.
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

    // MARK: Presumed state

    /// Records an answer that confirmed the occupant of a seat.
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

    /// The presumed occupants, by seat.
    var owners: [SeatID: AccountID] { state.withLock { $0.owners } }

    func requests(for seat: SeatID) -> [AccountID] { state.withLock { $0.requests[seat] ?? [] } }

    // MARK: Observations

    func count(_ action: String, _ outcome: String) {
        state.withLock { $0.answers["\(action) \(outcome)", default: 0] += 1 }
    }

    func defect(_ sentence: String) { state.withLock { $0.defects.append(sentence) } }

    /// A journey that was confirmed.
    func started(journey: Int64) { state.withLock { $0.journeys.append(journey) } }

    /// Records a snapshot that a socket received. A message has the same body on every copy of the service.
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
    /// The last snapshot of each socket.
    var shown: [Int: String] { state.withLock { $0.shown } }

    var summary: String {
        state.withLock { state in
            let answers = state.answers.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            let total = state.answers.values.reduce(0, +)
            return "\(total) calls, \(state.messages) snapshots; \(answers.joined(separator: ", "))"
        }
    }
}
