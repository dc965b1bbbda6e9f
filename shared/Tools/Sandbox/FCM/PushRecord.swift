import FoundationEssentials
import Values

/// A message in the response of `GET /_control/push`. Absent values are omitted.
struct PushRecord: Encodable {
    var id: String
    var project: String
    var token: String?
    var topic: String?
    var condition: String?
    var title: String?
    var subtitle: String?
    var body: String?
    var data: [String: String]
    var apns: APNS
    /// `apns-id`: the same in each attempt of one push.
    var apnsID: String?
    /// ISO 8601, UTC, with milliseconds.
    var at: String
    /// Whether the sender could read the response.
    var answered: Bool

    struct APNS: Encodable {
        /// Header names in lower case.
        var headers: [String: String]
        var payload: JSONTree?
    }

    private enum CodingKeys: String, CodingKey {
        case id, project, token, topic, condition, title, subtitle, body, data, apns, at, answered
        case apnsID = "apns_id"
    }

    init(_ message: FCMMessage) throws(FCMError) {
        let content = try message.content
        let alert = FCMAlert(content)
        (id, project, apnsID) = (message.id, message.project, message.apnsID)
        (title, subtitle, body) = (alert.title, alert.subtitle, alert.body)
        data = content.data
        apns = APNS(headers: content.apns.headers, payload: content.apns.payload)
        at = message.at.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        answered = message.isAnswered
        switch message.target {
        case .token(let text): token = text
        case .topic(let text): topic = text
        case .condition(let text): condition = text
        }
    }
}
