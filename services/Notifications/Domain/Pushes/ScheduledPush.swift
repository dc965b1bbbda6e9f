import Contracts
import FoundationEssentials

/// A push to all devices of an account.
struct ScheduledPush: Sendable, Equatable {
    var account: AccountID
    var content: PushContent
    /// The account that caused it, if its blocks must be checked before sending.
    var sender: AccountID?
    /// Pending pushes of one grouping are merged; the content of the last one is sent.
    var grouping: String?
    /// The messages of a chat room of which it tells.
    var messages: PushedMessages?
    /// Earliest time of sending.
    var due: Date
}
