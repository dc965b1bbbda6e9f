import Contracts
import FoundationEssentials

/// The bodies of messages to one passenger, in the client's format (SeatCatcher contract 2.5). A body that the client
/// cannot decode ends its subscription, so all required fields must be present.
enum LivePayload {
    /// The body of a message; nil for an invalid message, and for topics whose messages are not sent as they are.
    static func body(of message: StoredMessage) -> String? {
        let data = Data(message.body.utf8)
        let decoder = JSONDecoder()
        switch LiveTopic(name: message.topic) {
        case .owner:
            return (try? decoder.decode(OwnerMessage.self, from: data)).flatMap(body)
        case .requester:
            return (try? decoder.decode(YieldReply.self, from: data)).flatMap(body)
        case .path:
            return (try? decoder.decode(PathState.self, from: data)).flatMap(body)
        case .car, nil:
            return nil
        }
    }

    static func body(_ notice: OwnerMessage) -> String? {
        let requester = notice.requester
        guard let amount = notice.amount else {
            return text(
                YieldCancel(
                    seatId: notice.seat,
                    requestUserId: requester.account,
                    requestUserNickname: requester.nickname,
                    requestUserProfileImageNum: requester.image
                )
            )
        }
        return text(
            YieldRequestBody(
                seatId: notice.seat,
                requestUserId: requester.account,
                requestUserNickname: requester.nickname,
                requestUserProfileImageNum: requester.image,
                creditAmount: amount,
                requestUserTags: requester.tags
            )
        )
    }

    static func body(_ reply: YieldReply) -> String? {
        text(
            Reply(
                seatId: reply.seat,
                ownerId: reply.owner.account,
                oppositeUserId: reply.requester,
                ownerNickname: reply.owner.nickname,
                ownerProfileImageNum: reply.owner.image,
                isAccepted: reply.isAccepted
            )
        )
    }

    static func body(_ state: PathState) -> String? {
        text(
            Path(
                pathHistoryId: state.journey,
                expectedArrivalTime: WallTime(state.expectedArrival).minute,
                nextScheduleTime: state.nextCheck.map { WallTime($0).minute },
                arrived: state.hasArrived
            )
        )
    }

    private static func text(_ body: some Encodable) -> String? {
        (try? JSONEncoder().encode(body)).map { String(decoding: $0, as: UTF8.self) }
    }

    private struct YieldRequestBody: Encodable {
        var seatId: SeatID
        var requestUserId: AccountID
        var requestUserNickname: String
        var requestUserProfileImageNum: String
        var creditAmount: Int64
        var requestUserTags: [String]
    }

    /// The client distinguishes this from a request by the missing fields.
    private struct YieldCancel: Encodable {
        var seatId: SeatID
        var requestUserId: AccountID
        var requestUserNickname: String
        var requestUserProfileImageNum: String
    }

    private struct Reply: Encodable {
        var seatId: SeatID
        var ownerId: AccountID
        var oppositeUserId: AccountID
        var ownerNickname: String
        var ownerProfileImageNum: String
        var isAccepted: Bool
    }

    private struct Path: Encodable {
        var pathHistoryId: JourneyID
        var expectedArrivalTime: String
        var nextScheduleTime: String?
        var arrived: Bool

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(pathHistoryId, forKey: .pathHistoryId)
            try container.encode(expectedArrivalTime, forKey: .expectedArrivalTime)
            try container.encode(nextScheduleTime, forKey: .nextScheduleTime)
            try container.encode(arrived, forKey: .arrived)
        }

        private enum CodingKeys: CodingKey {
            case pathHistoryId, expectedArrivalTime, nextScheduleTime, arrived
        }
    }
}
