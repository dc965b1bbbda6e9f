import Contracts
import ServiceKit
import Synchronization

/// What the rounds have done and seen.
final class RoundsRecord: Sendable {
    /// Who was told that a payment of theirs is confirmed, and how.
    struct Confirmation: Sendable, Equatable {
        var account: AccountID
        var body: String
    }

    private struct State {
        var outcomes: [String: Int] = [:]
        var defects: [String] = []
        var confirmations: [String: Confirmation] = [:]
        var touched: Set<String> = []
        var console: [String: Int64] = [:]
        var due: Set<String> = []
        var begun = 0
        var finished = 0
    }

    private let state = Mutex(State())

    func count(_ outcome: String) { state.withLock { $0.outcomes[outcome, default: 0] += 1 } }
    func count(of outcome: String) -> Int { state.withLock { $0.outcomes[outcome] ?? 0 } }

    func defect(_ sentence: String) { state.withLock { $0.defects.append(sentence) } }
    var defects: [String] { state.withLock { $0.defects } }

    /// Somebody was answered that a payment is confirmed: by one person only, and always in the same bytes.
    func confirmed(_ impUID: String, _ confirmation: Confirmation) {
        state.withLock { state in
            guard let first = state.confirmations[impUID] else {
                state.confirmations[impUID] = confirmation
                return
            }
            if first.account != confirmation.account {
                state.defects.append("\(impUID) is confirmed to \(first.account) and \(confirmation.account)")
            }
            if first.body != confirmation.body, !state.touched.contains(impUID) {
                state.defects.append("\(impUID) is confirmed as \(first.body) and as \(confirmation.body)")
            }
        }
    }

    /// Something of a payment is about to be given back.
    func touch(_ impUID: String) { state.withLock { _ = $0.touched.insert(impUID) } }

    /// So much of a payment was cancelled by nobody of ours, in the smallest unit of its currency.
    func cancelled(_ impUID: String, _ amount: Int64) { state.withLock { $0.console[impUID, default: 0] += amount } }
    func cancelled(_ impUID: String) -> Int64 { state.withLock { $0.console[impUID] ?? 0 } }

    /// A payment with which all is well must come to pay for its order.
    func mustBeConfirmed(_ impUID: String) { state.withLock { _ = $0.due.insert(impUID) } }

    /// Payments that have paid for their orders and still do: those that somebody was told so of, and those that must.
    var lasting: Set<String> {
        state.withLock { $0.due.union($0.confirmations.keys).subtracting($0.touched) }
    }

    /// The number of the next round.
    func beginRound() -> Int {
        state.withLock { state in
            defer { state.begun += 1 }
            return state.begun
        }
    }

    /// Says something at once, also where what is printed goes to a file.
    static func say(_ sentence: String) { StandardError.write("rounds: \(sentence)") }

    func finishRound() { state.withLock { $0.finished += 1 } }
    var finished: Int { state.withLock { $0.finished } }

    var summary: String {
        state.withLock { state in
            state.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
    }
}
