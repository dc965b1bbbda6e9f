import AppClients

/// A push as a device got it, without the members that differ each time.
struct ReceivedPush: Sendable, Equatable {
    var title: String?
    /// The name of the message's sender.
    var subtitle: String?
    var body: String?
    /// The data that the client reads.
    var data: [String: String]
    /// The APNs headers, without `apns-id`.
    var headers: [String: String]
    /// The APNs payload: `aps`, with the data that the client reads beside it.
    var payload: JSON

    private static let headers = ["apns-priority": "10", "apns-push-type": "alert"]

    /// A message of a chat (Anlaka contract 6.2).
    ///
    /// - Parameters:
    ///   - side: the room's id in With Suhyeon's client.
    ///   - collapse: the collapse identifier, by which iOS groups pushes.
    ///   - badge: the recipient's unread count.
    static func chat(
        _ text: String,
        from nickname: String,
        in room: String,
        side: String? = nil,
        collapse: String,
        badge: Int
    ) -> ReceivedPush {
        let aps: JSON = [
            "alert": ["subtitle": .string(nickname), "body": .string(text)], "badge": .integer(Int64(badge)),
            "sound": "default", "thread-id": .string(room),
        ]
        return ReceivedPush(
            subtitle: nickname,
            body: text,
            data: ["room_id": side ?? room, "type": "CHAT_MESSAGE"],
            headers: headers.merging(["apns-collapse-id": collapse]) { $1 },
            payload: ["aps": aps, "room_id": .string(side ?? room)]
        )
    }

    /// A push of an entry of the notification list.
    ///
    /// - Parameter badge: the recipient's unread count.
    static func notice(_ title: String, _ body: String, _ data: [String: String], badge: Int) -> ReceivedPush {
        ReceivedPush(
            title: title,
            body: body,
            data: data,
            headers: headers,
            payload: ["aps": ["badge": .integer(Int64(badge)), "sound": "default"]]
        )
    }
}

extension ReceivedPush: Decodable {
    private enum CodingKeys: String, CodingKey {
        case title, subtitle, body, data, apns
    }

    private struct Apple: Decodable {
        var headers: [String: String]
        var payload: JSON
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        title = try container.decodeIfPresent(String.self, forKey: .title)
        subtitle = try container.decodeIfPresent(String.self, forKey: .subtitle)
        body = try container.decodeIfPresent(String.self, forKey: .body)
        data = try container.decode([String: String].self, forKey: .data)
        let apple = try container.decode(Apple.self, forKey: .apns)
        headers = apple.headers.filter { $0.key != "apns-id" }
        payload = apple.payload
    }
}
