@testable import Gateway

/// A push as a phone got it: all of it, but for what is another each time.
struct PhonePush: Sendable, Equatable {
    var title: String?
    /// Whose message it is.
    var subtitle: String?
    var body: String?
    /// What the app reads.
    var data: [String: String]
    /// Apple's, without `apns-id`.
    var headers: [String: String]
    /// Apple's part, with what the app reads beside it.
    var payload: JSONValue

    private static let headers = ["apns-priority": "10", "apns-push-type": "alert"]

    /// A message of a chat (Anlaka contract 6.2).
    ///
    /// - Parameters:
    ///   - side: what the app of With Suhyeon calls the room.
    ///   - collapse: what iOS shows in one place.
    ///   - badge: how much its owner has not read.
    static func chat(
        _ text: String,
        from nickname: String,
        in room: String,
        side: String? = nil,
        collapse: String,
        badge: Int
    ) -> PhonePush {
        let alert = JSONValue.object(["subtitle": .string(nickname), "body": .string(text)])
        let aps: [String: JSONValue] = [
            "alert": alert, "badge": .int(badge), "sound": .string("default"), "thread-id": .string(room),
        ]
        return PhonePush(
            subtitle: nickname,
            body: text,
            data: ["room_id": side ?? room, "type": "CHAT_MESSAGE"],
            headers: headers.merging(["apns-collapse-id": collapse]) { $1 },
            payload: .object(["aps": .object(aps), "room_id": .string(side ?? room)])
        )
    }

    /// What stands in a list of the app, too.
    ///
    /// - Parameter badge: how much its owner has not read.
    static func notice(_ title: String, _ body: String, _ data: [String: String], badge: Int) -> PhonePush {
        PhonePush(
            title: title,
            body: body,
            data: data,
            headers: headers,
            payload: .object(["aps": .object(["badge": .int(badge), "sound": .string("default")])])
        )
    }
}

extension PhonePush: Decodable {
    private enum CodingKeys: String, CodingKey {
        case title, subtitle, body, data, apns
    }

    private struct Apple: Decodable {
        var headers: [String: String]
        var payload: JSONValue
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
