import Apps
import FoundationEssentials
import Values

/// A message for iOS in FCM's format (FCM HTTP v1, `messages:send`; Anlaka contract 6.2).
///
/// `{message: {token, notification: {title, body}, data, apns: {headers, payload: {aps, room_id}}}}`. Built without an
/// encoder for speed, since it is built for every device.
struct FCMMessage: Sendable {
    private let push: Push
    private var content: PushContent { push.content }

    init(_ push: Push) {
        self.push = push
    }

    var json: String {
        let message = JSONText.object(texts: [
            ("token", JSONText.string(push.token)), ("notification", notification),
            ("data", JSONText.object(content.data.map { ($0, $1) })),
            ("apns", JSONText.object(texts: [("headers", headers), ("payload", payload)])),
        ])
        return JSONText.object(texts: [("message", message)])
    }

    private var notification: String? {
        content.title.map { JSONText.object([("title", $0), ("body", content.body)]) }
    }

    private var headers: String {
        let id = Sabotage.pushIDDrawnAnew.isBuiltIn ? UUID() : push.message
        return JSONText.object(texts: [
            ("apns-id", JSONText.string(id.uuidString.lowercased())), ("apns-priority", #""10""#),
            ("apns-push-type", #""alert""#), ("apns-collapse-id", content.collapse.map(JSONText.string)),
        ])
    }

    /// The APNs payload, with the key that Anlaka's app reads beside `aps`.
    private var payload: String {
        let aps = JSONText.object(texts: [
            ("alert", alert), ("badge", String(push.badge)), ("sound", #""default""#),
            ("thread-id", content.thread.map(JSONText.string)),
        ])
        return JSONText.object(texts: [("aps", aps), ("room_id", content.data["room_id"].map(JSONText.string))])
    }

    /// Only APNs has a subtitle. An alert replaces `notification`.
    private var alert: String? {
        if content.subtitle == nil, content.title != nil { return nil }
        return JSONText.object(texts: [
            ("title", content.title.map(JSONText.string)), ("subtitle", content.subtitle.map(JSONText.string)),
            ("body", JSONText.string(content.body)),
        ])
    }
}
