import Contracts
import FoundationEssentials

/// Something that somebody is to find in their list, and to be told of on their phones.
struct AlarmDraft: Sendable, Equatable {
    var app: App
    var account: Int64
    /// Who caused it; nil for what came by itself.
    var sender: Int64?
    /// One of the app's kinds (`PushKind`).
    var kind: String
    var title: String
    var body: String
    /// What the app reads of the push, beside `type`, which is the kind.
    var data: [String: String] = [:]
    /// Under which name the app reads the alarm's id; nil for apps that do not.
    var idKey: String?
    /// They have seen it: it is kept, and not pushed.
    var isSeen = false
    /// The session that it is about: its own phone is not told.
    var session: String?
    /// The same whenever the same happening is told of: one alarm for it.
    var source: UUID
}
