import Synchronization

/// The configured error responses for push tokens.
final class FCMTokenAnswers: Sendable {
    /// An error response for a token.
    struct Answer: Sendable, Equatable {
        var code: FCMError.Code
        /// Seconds, for `Retry-After`.
        var retryAfter: Int?
        /// The number of messages it applies to; nil for no limit.
        var count: Int?
    }

    private let answers = Mutex<[String: Answer]>([:])

    /// Sets the error response for a token, replacing an earlier one; nil removes it.
    func set(_ answer: Answer?, for token: String) {
        answers.withLock { $0[token] = answer }
    }

    /// - Throws: The `FCMError` that is configured for the token of a received message.
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
