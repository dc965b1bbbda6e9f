import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Notifications

/// Bodies of messages to FCM.
@Suite
struct FCMMessageTests {
    private func push(_ content: PushContent) -> Push {
        Push(
            id: 1,
            device: 1,
            revision: 0,
            app: .anlaka,
            account: 1,
            token: "token",
            message: UUID(uuidString: "12345678-1234-1234-1234-1234567890AB") ?? UUID(),
            content: content,
            sender: nil,
            badge: 3,
            createdAt: .now,
            attempts: 0
        )
    }

    private func json(_ content: PushContent) throws -> String {
        let object = try JSONDecoder().decode(Value.self, from: Data(FCMMessage.body(of: push(content)).utf8))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(object), as: UTF8.self)
    }

    @Test
    func chatMessage_matchesAnlakaContract() throws {
        let content = PushContent(
            kind: PushKind.chatMessage,
            subtitle: "하루",
            body: "안녕",
            data: ["room_id": "a1", "type": "CHAT_MESSAGE"],
            thread: "a1",
            collapse: "a1-7"
        )
        let headers =
            #"{"apns-collapse-id":"a1-7","apns-id":"12345678-1234-1234-1234-1234567890ab","apns-priority":"10","apns-push-type":"alert"}"#
        let aps = #"{"alert":{"body":"안녕","subtitle":"하루"},"badge":3,"sound":"default","thread-id":"a1"}"#
        let expected =
            #"{"message":{"apns":{"headers":\#(headers),"payload":{"aps":\#(aps),"room_id":"a1"}},"data":{"room_id":"a1","type":"CHAT_MESSAGE"},"token":"token"}}"#
        #expect(try json(content) == expected)
    }

    @Test
    func alarm_matchesSeatCatcherContract() throws {
        let content = PushContent(kind: "K", title: "자리 요청", body: "하루 님", data: ["type": "K", "payload": "{}"])
        let text = try json(content)
        #expect(text.contains(#""notification":{"body":"하루 님","title":"자리 요청"}"#))
        #expect(text.contains(#""data":{"payload":"{}","type":"K"}"#))
        #expect(!text.contains("alert\":{"))
    }

    @Test(arguments: ["가", "👩‍👩‍👧‍👦", "\"", "\u{1}", "a"])
    func longMessage_isCutToLimit(character: String) throws {
        let long = PushContent(
            kind: "K",
            title: "제목",
            subtitle: "하루",
            body: String(repeating: character, count: 5000),
            data: ["type": "K", "room_id": "a1", "payload": String(repeating: "x", count: 3000)]
        )
        let body = FCMMessage.body(of: push(long))
        #expect(body.utf8.count <= FCMMessage.limit + "token".utf8.count)
        let message = try JSONDecoder().decode(Sent.self, from: Data(body.utf8)).message
        let shown = message.apns.payload.aps.alert.body
        #expect(shown.hasSuffix("…"))
        #expect(shown.dropLast() == String(repeating: character, count: shown.count - 1)[...])
        #expect(shown.utf8.count > 50)
        #expect(message.data["type"] == "K")
        #expect(message.data["room_id"] == "a1")
    }

    @Test
    func messageAtLimit_isUnchanged() throws {
        let content = PushContent(kind: "K", title: "제목", body: String(repeating: "가", count: 400))
        let body = FCMMessage.body(of: push(content))
        let message = try JSONDecoder().decode(Plain.self, from: Data(body.utf8)).message
        #expect(message.notification.body == content.body)
    }

    private struct Sent: Decodable {
        struct Message: Decodable {
            struct APNs: Decodable {
                struct Payload: Decodable {
                    struct APS: Decodable {
                        struct Alert: Decodable { var body: String }
                        var alert: Alert
                    }
                    var aps: APS
                }
                var payload: Payload
            }
            var data: [String: String]
            var apns: APNs
        }
        var message: Message
    }

    private struct Plain: Decodable {
        struct Message: Decodable {
            struct Notification: Decodable { var body: String }
            var notification: Notification
        }
        var message: Message
    }

    /// JSON of any shape.
    private enum Value: Codable {
        case object([String: Value]), text(String), number(Int)

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let object = try? container.decode([String: Value].self) {
                self = .object(object)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .number(try container.decode(Int.self))
            }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            switch self {
            case .object(let object): try container.encode(object)
            case .text(let text): try container.encode(text)
            case .number(let number): try container.encode(number)
            }
        }
    }
}
