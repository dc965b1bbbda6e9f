import FoundationEssentials
import TestKit
import Testing

@testable import Seats

@Suite struct LivePayloadTests {
    private static let face = ProfileSummary(
        account: 9,
        nickname: "선 \"고래\"",
        image: "IMAGE_1",
        tags: ["USERTAG_CARRIER"]
    )

    private func keys(_ body: String?) throws -> Set<String> {
        struct Anything: Decodable { init(from decoder: any Decoder) {} }
        let data = Data(try #require(body).utf8)
        return Set(try JSONDecoder().decode([String: Anything].self, from: data).keys)
    }

    private func kept(_ topic: LiveTopic, _ body: some Encodable) throws -> StoredMessage {
        StoredMessage(id: 1, topic: topic.name, body: String(decoding: try JSONEncoder().encode(body), as: UTF8.self))
    }

    @Test func cancellation_omitsAmountAndTags() throws {
        let request = OwnerMessage(seat: 101, requester: Self.face, amount: 0)
        let cancel = OwnerMessage(seat: 101, requester: Self.face, amount: nil)
        let who: Set = ["seatId", "requestUserId", "requestUserNickname", "requestUserProfileImageNum"]
        #expect(try keys(LivePayload.body(request)) == who.union(["creditAmount", "requestUserTags"]))
        #expect(try keys(LivePayload.body(cancel)) == who)
    }

    @Test func reply_hasAllRequiredFields() throws {
        let reply = YieldReply(seat: 101, owner: Self.face, requester: 3, isAccepted: true)
        let body = LivePayload.body(of: try kept(.requester(seat: 101, account: 3), reply))
        #expect(
            try keys(body) == [
                "seatId", "ownerId", "oppositeUserId", "ownerNickname", "ownerProfileImageNum", "isAccepted",
            ]
        )
        #expect(body?.contains(#""isAccepted":true"#) == true)
    }

    @Test func arrivedPath_keepsExpectedArrivalTime() throws {
        let state = PathState(journey: 12, expectedArrival: 1_748_788_200_000_000, nextCheck: nil, hasArrived: true)
        let body = try #require(LivePayload.body(of: try kept(.path(12), state)))
        #expect(try keys(body) == ["pathHistoryId", "expectedArrivalTime", "nextScheduleTime", "arrived"])
        #expect(body.contains(#""expectedArrivalTime":"2025-06-01 14:30""#))
        #expect(body.contains(#""nextScheduleTime":null"#))
        #expect(body.contains(#""arrived":true"#))
    }

    @Test func unreadableMessage_hasNoBody() {
        for topic in ["owner/1/2", "requester/1/2", "path/1", "car/2234/2429", "other"] {
            #expect(LivePayload.body(of: StoredMessage(id: 1, topic: topic, body: "{}")) == nil, "\(topic)")
        }
    }
}
