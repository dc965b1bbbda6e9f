import Values

/// The notification that a device displays. Values for Apple's devices take precedence over the general ones.
struct FCMAlert: Sendable, Equatable {
    var title: String?
    var subtitle: String?
    var body: String?
    /// The number on the app's icon; nil leaves it unchanged.
    var badge: Int?
    /// The id that groups notifications.
    var threadID: String?

    init(_ content: FCMContent) {
        let aps = content.apns.aps
        let alert = aps?["alert"]
        title = alert?["title"]?.string ?? content.notification.title
        subtitle = alert?["subtitle"]?.string
        body = alert?.string ?? alert?["body"]?.string ?? content.notification.body
        badge = aps?["badge"]?.integer.map { Int($0) }
        threadID = aps?["thread-id"]?.string
    }

    /// Whether there is nothing to display: the message is for the app, not for the user.
    var isSilent: Bool {
        [title, subtitle, body].allSatisfy { $0?.isEmpty != false }
    }
}
