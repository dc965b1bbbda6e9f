import FoundationEssentials

/// A message as FCM takes it (FCM HTTP v1, `messages:send`; Anlaka contract 6.2), for iPhones.
struct FCMMessage: Encodable, Sendable {
    var message: Message

    struct Message: Encodable {
        var token: String
        var notification: Notification?
        var data: [String: String]
        var apns: APNs
    }

    struct Notification: Encodable {
        var title: String
        var body: String
    }

    struct APNs: Encodable {
        var headers: [String: String]
        var payload: Payload
    }

    /// Apple's part, with what Anlaka's app reads beside it.
    struct Payload: Encodable {
        var aps: APS
        var room: String?

        enum CodingKeys: String, CodingKey {
            case aps
            case room = "room_id"
        }
    }

    struct APS: Encodable {
        var alert: Alert?
        var badge: Int
        var sound = "default"
        var thread: String?

        enum CodingKeys: String, CodingKey {
            case alert, badge, sound
            case thread = "thread-id"
        }
    }

    struct Alert: Encodable {
        var title: String?
        var subtitle: String?
        var body: String
    }

    init(_ push: Push) {
        let content = push.content
        var headers = [
            "apns-id": push.message.uuidString.lowercased(), "apns-priority": "10", "apns-push-type": "alert",
        ]
        headers["apns-collapse-id"] = content.collapse
        // A subtitle is Apple's alone; what is set there counts instead of `notification`.
        let isPlain = content.subtitle == nil && content.title != nil
        let alert = Alert(title: content.title, subtitle: content.subtitle, body: content.body)
        message = Message(
            token: push.token,
            notification: content.title.map { Notification(title: $0, body: content.body) },
            data: content.data,
            apns: APNs(
                headers: headers,
                payload: Payload(
                    aps: APS(alert: isPlain ? nil : alert, badge: push.badge, thread: content.thread),
                    room: content.data["room_id"]
                )
            )
        )
    }
}
