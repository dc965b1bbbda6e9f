import Contracts

/// A sender or a recipient of messages.
struct Participant: Sendable {
    var account: AccountID
    /// Nil for a withdrawn account.
    var nickname: String?
    var isWithdrawn: Bool
}
