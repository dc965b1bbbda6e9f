import Contracts
import ServiceKit
import Synchronization
import TestKit

typealias RoundsRecord = CrashRecord<RoundObservations>

/// What the rounds have seen of the payments.
struct RoundObservations: Sendable {
    /// The account and the body of a successful validation.
    struct Confirmation: Sendable, Equatable {
        var account: AccountID
        var body: String
    }

    var confirmations: [String: Confirmation] = [:]
    var touched: Set<String> = []
    var console: [String: Int64] = [:]
    var due: Set<String> = []
    var begun = 0
    var finished = 0
}

extension CrashRecord<RoundObservations> {
    /// Records a successful validation. A payment is confirmed to one account only, and always with the same body.
    func confirmed(_ impUID: String, _ confirmation: RoundObservations.Confirmation) {
        let (first, isTouched) = observations.withLock { state in
            let first = state.confirmations[impUID]
            if first == nil { state.confirmations[impUID] = confirmation }
            return (first, state.touched.contains(impUID))
        }
        guard let first else { return }
        if first.account != confirmation.account {
            defect("\(impUID) is confirmed to \(first.account) and \(confirmation.account)")
        }
        if first.body != confirmation.body, !isTouched {
            defect("\(impUID) is confirmed as \(first.body) and as \(confirmation.body)")
        }
    }

    /// Records that a refund or a cancellation of the payment is about to start.
    func touch(_ impUID: String) { observations.withLock { _ = $0.touched.insert(impUID) } }

    /// Records an amount that was cancelled outside the service, in the smallest unit of its currency.
    func cancelled(_ impUID: String, _ amount: Int64) {
        observations.withLock { $0.console[impUID, default: 0] += amount }
    }
    func cancelled(_ impUID: String) -> Int64 { observations.withLock { $0.console[impUID] ?? 0 } }

    /// Records a correct payment, which must be confirmed in the end.
    func mustBeConfirmed(_ impUID: String) { observations.withLock { _ = $0.due.insert(impUID) } }

    /// Payments that must be confirmed in the end and were not refunded.
    var lasting: Set<String> { observations.withLock { $0.due.union($0.confirmations.keys).subtracting($0.touched) } }

    /// The number of the next round.
    func beginRound() -> Int {
        observations.withLock { state in
            defer { state.begun += 1 }
            return state.begun
        }
    }

    /// Writes to the standard error, which is not buffered.
    static func say(_ sentence: String) { StandardError.write("rounds: \(sentence)") }

    func finishRound() { observations.withLock { $0.finished += 1 } }
    var finished: Int { observations.withLock { $0.finished } }
}
