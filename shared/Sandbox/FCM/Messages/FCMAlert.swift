/// What a phone shows of a message. What Apple's phones are told alone goes before what all are told.
struct FCMAlert: Sendable, Equatable {
    var title: String?
    var subtitle: String?
    var body: String?
    /// The number on the app's icon; nil leaves it as it is.
    var badge: Int?
    /// What groups notifications.
    var threadID: String?

    init(_ content: FCMContent) {
        let aps = content.apns.aps
        let alert = aps?["alert"]
        title = alert?["title"]?.text ?? content.notification.title
        subtitle = alert?["subtitle"]?.text
        body = alert?.text ?? alert?["body"]?.text ?? content.notification.body
        badge = aps?["badge"]?.integer
        threadID = aps?["thread-id"]?.text
    }

    /// Whether there is nothing to show: the message is for the app, not for who holds the phone.
    var isSilent: Bool {
        [title, subtitle, body].allSatisfy { $0?.isEmpty != false }
    }
}
