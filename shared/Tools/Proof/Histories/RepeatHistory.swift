/// An act that a phone sent under a key, once or several times.
package struct KeyedAct: Sendable, Hashable {
    package var attempt: Attempt
    /// `Idempotency-Key`, or what stands for it such as a message's client id.
    package var key: String
    /// Such as "placed an order for post 3".
    package var what: String
    /// What identifies the result in the answer, such as the new id; nil without one.
    package var answer: String?

    package init(_ attempt: Attempt, key: String, _ what: String, answer: String? = nil) {
        (self.attempt, self.key, self.what, self.answer) = (attempt, key, what, answer)
    }
}
