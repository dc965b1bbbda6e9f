/// The messages of which a push tells.
struct PushedMessages: Sendable, Equatable {
    /// Number of the first message of the group: a grouped push counts from there.
    var groupStart: Int64
    /// Number of the first message that no earlier push was about.
    var first: Int64
    /// Number of the last message.
    var last: Int64
}

/// A push for messages of a room that has not been sent.
struct WaitingPush: Sendable {
    var id: PushID
    var room: ConversationKey
    /// Nil for a push that an older replica has queued.
    var messages: PushedMessages?
    var isGrouped: Bool
    var body: String
    /// It is on its way to FCM: a change would send it once more.
    var isBeingSent: Bool
}
