import Testing

@testable import Sandbox

@Suite(.sandbox, .timeLimit(.minutes(1))) struct FCMSendRoutesTests {
    @Test func message_isStoredAsSent() async throws {
        let sender = try await FCMSender()
        let id = "5A7F0B1C-4F6E-4B57-9D0D-0C7C1F1C0A11"
        let sent = try await sender.send(
            #"""
            {"message": {"token": "cFz:APA91b", "notification": {"title": "방", "body": "general", "image": null},
            "data": {"room_id": "r1", "camelCase": "\uD83D\uDE00"},
            "apns": {"headers": {"APNs-ID": "\#(id)", "apns-collapse-id": "r1", "apns-priority": "10"},
            "payload": {"aps": {"alert": {"subtitle": "김", "body": "안녕"}, "badge": 3, "volume": 0.5},
            "room_id": "r1"}}, "android": {}, "fcm_options": {"analytics_label": "x"}}}
            """#
        )
        #expect(sent.status == 200)
        let messages = try await sender.messages()
        let message = try #require(messages.first)
        #expect(messages.count == 1)
        #expect(sent.name == "projects/moup/messages/\(message.id)")
        #expect(message.project == "moup")
        #expect(message.token == "cFz:APA91b")
        #expect(message.title == "방")
        #expect(message.subtitle == "김")
        #expect(message.body == "안녕")
        #expect(message.data == ["room_id": "r1", "camelCase": "😀"])
        #expect(message.apns.headers == ["apns-id": id, "apns-collapse-id": "r1", "apns-priority": "10"])
        #expect(message.apns.payload?.roomID == "r1")
        #expect(message.apns.payload?.aps?.badge == 3)
        #expect(message.apns.payload?.aps?.volume == 0.5)
        #expect(message.apnsID == id)
        #expect(message.at.count == "2025-11-21T08:30:00.000Z".count)
        #expect(message.answered)
    }

    @Test func messages_areListedByTokenNewestFirst() async throws {
        let sender = try await FCMSender()
        for (token, body) in [("a:1", "one"), ("b", "two"), ("a:1", "three")] {
            let sent = try await sender.notify(token, body)
            #expect(sent.status == 200)
        }
        #expect(try await sender.messages().map(\.body) == ["three", "two", "one"])
        #expect(try await sender.messages("?token=a%3A1").map(\.body) == ["three", "one"])
        #expect(try await sender.messages("?token=a:1&limit=1").map(\.body) == ["three"])
        #expect(try await sender.messages("?token=unknown").isEmpty)
        #expect(try await sender.sandbox.get("/_control/push/summary").text == #"{"messages":3,"tokens":2}"#)
        for limit in ["0", "200001", "x"] {
            #expect(try await sender.sandbox.get("/_control/push?limit=\(limit)").status == 400)
        }
        #expect(try await sender.sandbox.delete("/_control/push").status == 204)
        #expect(try await sender.sandbox.get("/_control/push/summary").text == #"{"messages":0,"tokens":0}"#)
    }

    @Test(arguments: ["validate_only", "validateOnly"]) func validateOnly_isNotDelivered(field: String) async throws {
        let sender = try await FCMSender()
        let good = try await sender.send(#"{"\#(field)": true, "message": {"token": "a"}}"#)
        #expect(good.name == "projects/moup/messages/fake_message_id")
        #expect(try await sender.send(#"{"\#(field)": true, "message": {"token": ""}}"#).field == "message.token")
        try await sender.answer(#"{"error": "UNREGISTERED"}"#, for: "a")
        #expect(try await sender.send(#"{"\#(field)": true, "message": {"token": "a"}}"#).code == "UNREGISTERED")
        #expect(try await sender.messages().isEmpty)
        #expect(try await sender.send(#"{"\#(field)": false, "message": {"token": "b"}}"#).status == 200)
        #expect(try await sender.messages().map(\.token) == ["b"])
    }

    @Test func topicsAndConditions_areAccepted() async throws {
        let sender = try await FCMSender()
        let sent = try await sender.send(#"{"message": {"topic": "/topics/news"}}"#)
        #expect(sent.status == 200)
        #expect(try await sender.send(#"{"message": {"condition": "'a' in topics"}}"#).status == 200)
        #expect(try await sender.messages().map(\.topic) == [nil, "news"])
        #expect(try await sender.messages().map(\.condition) == ["'a' in topics", nil])
        #expect(try await sender.sandbox.get("/_control/push/summary").text == #"{"messages":2,"tokens":0}"#)
    }

    @Test func accessToken_ofOtherProjectOrInvalid_isRefused() async throws {
        let sender = try await FCMSender()
        let path = "/fcm/v1/projects/moup/messages:send"
        let body = #"{"message": {"token": "a"}}"#
        for authorization in [nil, "Bearer x", "Bearer ", "Basic \(sender.token)", sender.token] {
            let reply = FCMReply(try await sender.sandbox.post(path, json: body, authorization: authorization))
            #expect(reply.status == 401, "\(authorization ?? "-")")
            #expect(reply.error?.status == "UNAUTHENTICATED")
            #expect(reply.error?.code == 401)
            #expect(reply.code == nil)
        }
        let foreign = try await sender.send(body, project: "anlaka")
        #expect(foreign.status == 403)
        #expect(foreign.error?.status == "PERMISSION_DENIED")
        #expect(foreign.code == nil)
        #expect(try await sender.sandbox.post("/_control/fcm/tokens/expire", json: "").status == 204)
        let late = try await sender.send(body)
        #expect(late.status == 401)
        #expect(late.error?.details.first?.reason == "ACCESS_TOKEN_EXPIRED")
        #expect(try await sender.messages().isEmpty)
        #expect(try await FCMSender(at: sender.sandbox).send(body).status == 200)
    }

    @Test(arguments: [
        ("INVALID_ARGUMENT", 400, "INVALID_ARGUMENT"), ("UNREGISTERED", 404, "NOT_FOUND"),
        ("SENDER_ID_MISMATCH", 403, "PERMISSION_DENIED"), ("QUOTA_EXCEEDED", 429, "RESOURCE_EXHAUSTED"),
        ("UNAVAILABLE", 503, "UNAVAILABLE"), ("INTERNAL", 500, "INTERNAL"),
        ("THIRD_PARTY_AUTH_ERROR", 401, "UNAUTHENTICATED"),
    ])
    func responseForToken_canBeSet(code: String, status: Int, word: String) async throws {
        let sender = try await FCMSender()
        try await sender.answer(#"{"error": "\#(code)", "retry_after": 7}"#, for: "a%3A%2F1")
        for _ in 0..<2 {
            let reply = try await sender.notify("a:/1")
            #expect(reply.status == status)
            #expect(reply.error?.code == status)
            #expect(reply.error?.status == word)
            #expect(reply.code == code)
            #expect(reply.retryAfter == "7")
            #expect(reply.field == (code == "INVALID_ARGUMENT" ? "message.token" : nil))
        }
        #expect(try await sender.notify("other").status == 200)
        try await sender.answer("", for: "a%3A%2F1")
        #expect(try await sender.notify("a:/1").status == 200)
        #expect(try await sender.messages().map(\.token) == ["a:/1", "other"])
    }

    @Test func responseForToken_appliesToOrderedCount() async throws {
        let sender = try await FCMSender()
        try await sender.answer(#"{"error": "UNAVAILABLE", "count": 30}"#, for: "a")
        let statuses = try await concurrently(50) { _ in try await sender.notify("a").status }
        #expect(statuses.count { $0 == 503 } == 30)
        #expect(statuses.count { $0 == 200 } == 20)
        #expect(try await sender.messages().count == 20)
    }

    @Test(arguments: [
        (#"{"error": "GONE"}"#, "error"), (#"{"error": "INTERNAL", "count": 0}"#, "count"),
        (#"{"error": "UNAVAILABLE", "retry_after": -1}"#, "retry_after"), (#"{"error": 1}"#, "error"),
    ])
    func invalidControlRequest_namesField(json: String, field: String) async throws {
        let sender = try await FCMSender()
        let reply = try await sender.sandbox.post("/_control/push/tokens/a", json: json)
        #expect(reply.status == 400)
        #expect(reply.texts["message"]?.hasPrefix("\(field) ") == true)
        #expect(try await sender.notify("a").status == 200)
    }

    @Test func latency_delaysResponse() async throws {
        let sender = try await FCMSender()
        for wrong in ["-1", "600001"] {
            let reply = try await sender.sandbox.post("/_control/fcm/latency", json: #"{"ms": \#(wrong)}"#)
            #expect(reply.status == 400)
        }
        #expect(try await sender.sandbox.post("/_control/fcm/latency", json: #"{"ms": 600000}"#).status == 204)
        let status = try await SandboxClient.status(
            of: { try await sender.notify("a").status },
            until: { try await sender.messages().count == 1 }
        )
        #expect(status == nil)
        #expect(try await sender.messages().map(\.answered) == [false])
        #expect(try await sender.sandbox.post("/_control/fcm/latency", json: #"{"ms": 0}"#).status == 204)
        #expect(try await sender.notify("a").status == 200)
        #expect(try await sender.messages().map(\.answered) == [true, false])
    }

    @Test func lostFault_deliversMessage_withoutResponse() async throws {
        let sender = try await FCMSender()
        try await sender.sandbox.fault("lost", of: "fcm")
        let status = try await SandboxClient.status(
            of: { try await sender.notify("a").status },
            until: { try await sender.messages().count == 1 }
        )
        #expect(status == nil)
        #expect(try await sender.messages().map(\.answered) == [false])
    }

    @Test(arguments: [(400, nil), (401, nil), (403, nil), (404, nil), (429, "QUOTA_EXCEEDED"), (503, "UNAVAILABLE")])
    func fault_hasFormatOfGoogle_andDeliversNothing(status: Int, code: String?) async throws {
        let sender = try await FCMSender()
        try await sender.sandbox.fault("http", of: "fcm", status: status)
        let reply = try await sender.notify("a")
        #expect(reply.status == status)
        #expect(reply.error?.code == status)
        #expect(reply.code == code)
        #expect(try await sender.messages().isEmpty)
    }
}
