import Contracts
import ServiceKit
import Synchronization

/// The outcomes and the defects of the rounds.
final class RoundsRecord: Sendable {
    /// The account and the body of a successful validation.
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

    /// Records a successful validation. A payment is confirmed to one account only, and always with the same body.
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

    /// Records that a refund or a cancellation of the payment is about to start.
    func touch(_ impUID: String) { state.withLock { _ = $0.touched.insert(impUID) } }

    /// Records an amount that was cancelled outside the service, in the smallest unit of its currency.
    func cancelled(_ impUID: String, _ amount: Int64) { state.withLock { $0.console[impUID, default: 0] += amount } }
    func cancelled(_ impUID: String) -> Int64 { state.withLock { $0.console[impUID] ?? 0 } }

    /// Records a correct payment, which must be confirmed in the end.
    func mustBeConfirmed(_ impUID: String) { state.withLock { _ = $0.due.insert(impUID) } }

    /// Payments that must be confirmed in the end and were not refunded.
    var lasting: Set<String> { state.withLock { $0.due.union($0.confirmations.keys).subtracting($0.touched) } }

    /// The number of the next round.
    func beginRound() -> Int {
        state.withLock { state in
            defer { state.begun += 1 }
            return state.begun
        }
    }

    /// Writes to the standard error, which is not buffered.
    static func say(_ sentence: String) { StandardError.write("rounds: \(sentence)") }

    func finishRound() { state.withLock { $0.finished += 1 } }
    var finished: Int { state.withLock { $0.finished } }

    var summary: String {
        state.withLock { state in
            state.outcomes.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
    }
}
