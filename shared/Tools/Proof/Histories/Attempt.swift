package import Contracts

/// A request of a phone and how it ended: what the histories of all promises have in common.
///
/// Repetitions by the phone's network code under one idempotency key are one attempt, from the begin of the first to the
/// answer of the last.
package struct Attempt: Sendable, Hashable, Codable {
    /// The name of the phone, such as "phone 12"; of one person's two devices each has its own.
    package var phone: String
    /// The person who used it.
    package var account: AccountID
    /// Before the first byte was sent.
    package var begun: Moment
    /// After the answer was read, or when the phone gave up. Nil when it was still waiting at the end of the run.
    package var ended: Moment?
    package var outcome: Outcome
    /// The request's trace.
    package var trace: String?

    package init(
        phone: String,
        account: AccountID,
        begun: Moment,
        ended: Moment?,
        outcome: Outcome,
        trace: String? = nil
    ) {
        (self.phone, self.account, self.begun, self.ended) = (phone, account, begun, ended)
        (self.outcome, self.trace) = (outcome, trace)
    }
}

extension Attempt {
    /// Whether it was over, with its effect if it had one, before the other began.
    package func precedes(_ other: Attempt) -> Bool {
        guard let ended, !outcome.isUnknown else { return false }
        return ended < other.begun
    }

    /// The line of a story.
    ///
    /// - Parameter what: What the phone did, such as "sat down on seat 12".
    package func step(_ what: String) -> Step {
        let answer =
            switch outcome {
            case .done: "done"
            case .refused(let text): "refused, \(text)"
            case .unknown(let text): "answer unknown, \(text)"
            }
        let until = ended.map { " at \($0)" } ?? ""
        return Step(at: begun, phone: phone, what: "\(what): \(answer)\(until)", trace: trace)
    }
}
