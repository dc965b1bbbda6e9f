import HTTPTypes
import Testing

@testable import Sandbox

@Suite struct FCMContentTests {
    private static func read(_ json: String) throws -> FCMContent { try FCMContent(parsing: Array(json.utf8)) }

    /// A message to a device, with more members.
    private static func message(_ more: String) -> String { #"{"message": {"token": "a", \#(more)}}"# }

    private static func fields(_ error: FCMError) -> [String] {
        error.details.compactMap { if case .violation(let field, _) = $0 { field } else { nil } }
    }

    /// Messages that FCM refuses, and the field in its error.
    @Test(arguments: [
        ("{}", "message"), (#"{"message": null}"#, "message"), (#"{"message": {}}"#, "message"),
        (#"{"message": {"token": null, "data": {}}}"#, "message"), (#"{"message": {"token": ""}}"#, "message.token"),
        (#"{"message": {"topic": ""}}"#, "message.topic"), (#"{"message": {"topic": "a b"}}"#, "message.topic"),
        (#"{"message": {"condition": ""}}"#, "message.condition"), (message(#""data": {"from": "x"}"#), "message.data"),
        (message(#""data": {"gcm": "x"}"#), "message.data"), (message(#""data": {"gcm.n.e": "x"}"#), "message.data"),
        (message(#""data": {"googlex": "x"}"#), "message.data"), (message(#""data": {"": "x"}"#), "message.data"),
        (message(#""apns": {"headers": {"apns-priority": "1"}}"#), "message.apns.headers.apns-priority"),
        (message(#""apns": {"payload": {"aps": []}}"#), "message.apns.payload.aps"),
        (message(#""apns": {"payload": {"aps": {"alert": 1}}}"#), "message.apns.payload.aps.alert"),
    ])
    func invalidMessage_namesField(json: String, field: String) throws {
        let error = try #require(throws: FCMError.self) { try Self.read(json) }
        #expect(error.status == .badRequest)
        #expect(Self.fields(error) == [field])
        #expect(error.details.contains(.fcm(.invalidArgument)))
    }

    /// Messages that the API's JSON parser refuses, and the field in its error.
    @Test(arguments: [
        ("[]", ""), ("1", ""), (#"{"massage": {}}"#, ""), (#"{"message": []}"#, "message"),
        (#"{"message": {"token": "a"}, "validate_only": "true"}"#, "validate_only"),
        (#"{"message": {"token": "a"}, "validate_only": true, "validateOnly": true}"#, "validate_only"),
        (#"{"message": {"token": 1}}"#, "message.token"), (#"{"message": {"token": "a", "topic": "b"}}"#, "message"),
        (#"{"message": {"token": "a", "token": "b"}}"#, "token"), (message(#""to": "x""#), "message"),
        (message(#""data": {"n": 1}"#), "message.data.n"), (message(#""data": {"n": null}"#), "message.data.n"),
        (message(#""data": {"n": {"m": "x"}}"#), "message.data.n"), (message(#""data": "x""#), "message.data"),
        (message(#""notification": {"subtitle": "x"}"#), "message.notification"),
        (message(#""notification": {"title": 1}"#), "message.notification.title"),
        (message(#""apns": {"header": {}}"#), "message.apns"),
        (message(#""apns": {"payload": "x"}"#), "message.apns.payload"),
        (message(#""apns": {"headers": {"apns-priority": 10}}"#), "message.apns.headers.apns-priority"),
        (message(#""android": "x""#), "message.android"),
    ])
    func unexpectedJSON_namesField(json: String, field: String) throws {
        let error = try #require(throws: FCMError.self) { try Self.read(json) }
        #expect(error.status == .badRequest)
        #expect(Self.fields(error) == [field])
        #expect(!error.details.contains(.fcm(.invalidArgument)))
    }

    @Test(arguments: ["", "{", #"{"message": }"#, "\u{FEFF}{}"]) func malformedJSON_isRefused(text: String) throws {
        let error = try #require(throws: FCMError.self) { try Self.read(text) }
        #expect(error.status == .badRequest)
        #expect(error.details.isEmpty)
    }

    @Test func camelAndSnakeCase_areRead() throws {
        let content = try Self.read(
            #"{"validateOnly": true, "message": {"token": "a", "fcmOptions": {"analyticsLabel": "x"}}}"#
        )
        #expect(content.isValidationOnly)
    }

    @Test func token_hasAtMost4096Bytes() throws {
        let longest = String(repeating: "a", count: 4096)
        #expect(try Self.read(#"{"message": {"token": "\#(longest)"}}"#).target == .token(longest))
        #expect(throws: FCMError(.invalidArgument)) { try Self.read(#"{"message": {"token": "\#(longest)a"}}"#) }
    }

    @Test func collapseID_hasAtMost64Bytes() throws {
        func json(_ id: String) -> String { Self.message(#""apns": {"headers": {"apns-collapse-id": "\#(id)"}}"#) }
        let longest = String(repeating: "가", count: 21) + "a"
        #expect(try Self.read(json(longest)).apns.collapseID == longest)
        let error = try #require(throws: FCMError.self) { try Self.read(json(longest + "a")) }
        #expect(Self.fields(error) == ["message.apns.headers.apns-collapse-id"])
    }

    /// `{"body":"` and `"}` are 11 bytes, `{"k":"v"}` are 9, `{"aps":{"badge":1}}` are 19.
    @Test func notificationDataAndPayload_haveAtMost4096Bytes() throws {
        func json(_ body: String) -> String {
            Self.message(
                """
                "notification" : { "body" : "\(body)" }, "data": {"k": "v"},
                "apns": {"headers": {"x": "\(String(repeating: "h", count: 500))"}, "payload": {"aps": {"badge": 1}}}
                """
            )
        }
        let room = 4096 - 11 - 9 - 19
        for letter in ["a", #"\u0061"#] {
            _ = try Self.read(json(String(repeating: letter, count: room)))
            #expect(throws: FCMError.self) { try Self.read(json(String(repeating: letter, count: room + 1))) }
        }
        let hangul = String(repeating: "가", count: room / 3) + String(repeating: "a", count: room % 3)
        _ = try Self.read(json(hangul))
        let error = try #require(throws: FCMError.self) { try Self.read(json(hangul + "a")) }
        #expect(Self.fields(error) == ["message"])
    }

    @Test func apnsAlert_overridesNotification() throws {
        let all = #""notification": {"title": "t", "body": "b"}"#
        let plain = FCMAlert(try Self.read(Self.message(all)))
        #expect(plain.title == "t" && plain.body == "b" && plain.subtitle == nil && !plain.isSilent)
        let text = FCMAlert(try Self.read(Self.message(all + #", "apns": {"payload": {"aps": {"alert": "x"}}}"#)))
        #expect(text.title == "t" && text.body == "x")
        let parts = #"{"aps": {"alert": {"title": "T", "subtitle": "S"}, "badge": 2, "thread-id": "r"}}"#
        let alert = FCMAlert(try Self.read(Self.message(all + #", "apns": {"payload": \#(parts)}"#)))
        #expect(alert.title == "T" && alert.subtitle == "S" && alert.body == "b")
        #expect(alert.badge == 2 && alert.threadID == "r")
        #expect(FCMAlert(try Self.read(Self.message(#""data": {"k": "v"}"#))).isSilent)
    }
}
