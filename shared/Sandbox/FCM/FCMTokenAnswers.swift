import Synchronization

/// What FCM says of phones' tokens other than that all is well.
final class FCMTokenAnswers: Sendable {
    /// What it says of one of them.
    struct Answer: Sendable, Equatable {
        var code: FCMError.Code
        /// Seconds, for `Retry-After`.
        var retryAfter: Int?
        /// Only for so many messages; nil without an end.
        var count: Int?
    }

    private let answers = Mutex<[String: Answer]>([:])

    /// Sets what is said of a token, in place of what was set before; nil clears.
    func set(_ answer: Answer?, for token: String) {
        answers.withLock { $0[token] = answer }
    }

    /// - Throws: `FCMError`, when that is what was set for the token of a message that has just come in.
    func check(_ token: String) throws(FCMError) {
        let answer = answers.withLock { answers -> Answer? in
            guard let answer = answers[token] else { return nil }
            if let count = answer.count { answers[token]?.count = count - 1 }
            if answer.count == 1 { answers[token] = nil }
            return answer
        }
        if let answer { throw FCMError(answer.code, retryAfter: answer.retryAfter) }
    }
}
