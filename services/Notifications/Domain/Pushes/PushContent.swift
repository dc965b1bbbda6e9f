/// The displayed texts and the data of a push.
struct PushContent: Sendable, Equatable {
    /// One of `PushKind`'s; users can mute it.
    var kind: String
    var title: String?
    var subtitle: String?
    var body: String
    /// Data for the app, besides the texts.
    var data: [String: String] = [:]
    /// iOS groups notifications by it, such as a room.
    var thread: String?
    /// A later notification with the same ID replaces the earlier one on iOS. At most 64 bytes (APNs).
    var collapse: String?
}
