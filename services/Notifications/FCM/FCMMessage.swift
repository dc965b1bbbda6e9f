import AppWire
import FoundationEssentials

/// A message as FCM takes it (FCM HTTP v1, `messages:send`; Anlaka contract 6.2), for iPhones.
///
/// `{message: {token, notification: {title, body}, data, apns: {headers, payload: {aps, room_id}}}}`. It is written for each of very
/// many phones, so without an encoder.
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
        JSONText.object(texts: [
            ("apns-id", JSONText.string(push.message.uuidString.lowercased())), ("apns-priority", #""10""#),
            ("apns-push-type", #""alert""#), ("apns-collapse-id", content.collapse.map(JSONText.string)),
        ])
    }

    /// Apple's part, with what Anlaka's app reads beside it.
    private var payload: String {
        let aps = JSONText.object(texts: [
            ("alert", alert), ("badge", String(push.badge)), ("sound", #""default""#),
            ("thread-id", content.thread.map(JSONText.string)),
        ])
        return JSONText.object(texts: [("aps", aps), ("room_id", content.data["room_id"].map(JSONText.string))])
    }

    /// A subtitle is Apple's alone; what is set here counts instead of `notification`.
    private var alert: String? {
        if content.subtitle == nil, content.title != nil { return nil }
        return JSONText.object(texts: [
            ("title", content.title.map(JSONText.string)), ("subtitle", content.subtitle.map(JSONText.string)),
            ("body", JSONText.string(content.body)),
        ])
    }
}
