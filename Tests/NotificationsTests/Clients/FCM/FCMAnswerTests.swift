import FoundationEssentials
import Testing

@testable import Notifications

/// The outcomes of FCM's responses (Anlaka contract 6.2).
@Suite
struct FCMAnswerTests {
    private func answer(_ status: Int, _ code: String, field: String? = nil, retryAfter: TimeInterval? = nil)
        -> FCMAnswer
    {
        let violation = field.map {
            #",{"@type":"type.googleapis.com/google.rpc.BadRequest","fieldViolations":[{"field":"\#($0)","description":"d"}]}"#
        }
        let body =
            #"{"error":{"code":\#(status),"message":"m","status":"S","details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"\#(code)"}\#(violation ?? "")]}}"#
        return FCMAnswer(status: status, retryAfter: retryAfter, body: Data(body.utf8))
    }

    @Test func response200_isSent() {
        let answer = FCMAnswer(status: 200, retryAfter: nil, body: Data(#"{"name":"projects/p/messages/1"}"#.utf8))
        #expect(answer.outcome == .sent)
        #expect(!answer.isUnauthenticated)
    }

    @Test func unregisteredToken_isGone() {
        #expect(answer(404, "UNREGISTERED").outcome == .gone)
        #expect(answer(403, "SENDER_ID_MISMATCH").outcome == .gone)
        #expect(answer(400, "INVALID_ARGUMENT", field: "message.token").outcome == .gone)
    }

    @Test func invalidArgument_isRefused() {
        #expect(answer(400, "INVALID_ARGUMENT").outcome == .refused("400 INVALID_ARGUMENT"))
        #expect(
            answer(400, "INVALID_ARGUMENT", field: "message.data").outcome
                == .refused("400 INVALID_ARGUMENT message.data")
        )
    }

    @Test func quotaAndServerErrors_areRetriedLater() {
        #expect(answer(429, "QUOTA_EXCEEDED").outcome == .later("429 QUOTA_EXCEEDED", after: 60))
        #expect(answer(429, "QUOTA_EXCEEDED", retryAfter: 5).outcome == .later("429 QUOTA_EXCEEDED", after: 5))
        #expect(answer(503, "UNAVAILABLE", retryAfter: 7).outcome == .later("503 UNAVAILABLE", after: 7))
        #expect(answer(500, "INTERNAL").outcome == .later("500 INTERNAL"))
        #expect(FCMAnswer(status: 502, retryAfter: nil, body: Data("<html>".utf8)).outcome == .later("502 -"))
    }

    @Test func authenticationErrors_areMisconfigured() {
        #expect(answer(401, "THIRD_PARTY_AUTH_ERROR").outcome == .platformRejected("401 THIRD_PARTY_AUTH_ERROR"))
        #expect(!answer(401, "THIRD_PARTY_AUTH_ERROR").isUnauthenticated)
        #expect(FCMAnswer(status: 401, retryAfter: nil, body: Data()).isUnauthenticated)
        #expect(FCMAnswer(status: 403, retryAfter: nil, body: Data()).outcome == .misconfigured("403 -"))
        #expect(FCMAnswer(status: 404, retryAfter: nil, body: Data()).outcome == .misconfigured("404 -"))
    }
}
