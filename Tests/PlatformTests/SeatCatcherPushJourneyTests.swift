import AppClients
import Apps
import FoundationEssentials
import Postgres
import TestKit
import Testing

@testable import Auth

/// Pushes to passengers without an open socket (SeatCatcher contract 4.7, 4.12, and D12).
@Suite(.timeLimit(.minutes(8))) struct SeatCatcherPushJourneyTests {
    private let train = "2999"

    /// `GET /alarms/me` as newer clients read it.
    private struct AlarmList: Decodable {
        var userAlarmItemList: [Item]
        var unreadCount: Int
        struct Item: Decodable {
            var id: Int64
            var type: String
            var read: Bool
            var title: String
            var body: String
        }
    }

    private func alarms(_ client: SeatCatcherClient) async throws -> AlarmList {
        try await client.send(\.listAlarms).expect().value(AlarmList.self)
    }

    /// Subscribes, and returns the first message, which stays in the queue.
    private func firstMessage(_ topic: String, of client: SeatCatcherClient) async throws -> SeatCatcherFrame {
        try await client.subscribe(topic)
        try await client.socket.settle()
        return try #require(try client.socket.unread(topic).first)
    }

    /// Requires that a push has the payload of the socket's message.
    private func expect(
        _ push: ReceivedPush,
        _ type: String,
        _ text: (title: String, body: String),
        _ message: SeatCatcherFrame,
        badge: Int,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let payload = try #require(push.data["payload"], sourceLocation: location)
        let expected = ReceivedPush.notice(text.title, text.body, ["type": type, "payload": payload], badge: badge)
        #expect(push == expected, sourceLocation: location)
        let value = try #require(JSON(parsing: payload.utf8), sourceLocation: location)
        #expect(value == JSON(parsing: message.body.utf8), sourceLocation: location)
    }

    /// Both in the car, A on its first seat; neither is subscribed to seat requests or replies.
    private func meet(_ body: @escaping ExchangeTest) async throws {
        try await Platform.test { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 101, device: "a")
            let b = try await SeatCatcherClient(platform, kakao: 102, device: "b")
            try await platform.device("a", belongsTo: a.account)
            try await platform.device("b", belongsTo: b.account)
            try await platform.credit(b, 1000)
            try await platform.place(train, at: "강남", in: 90)
            for client in [a, b] { try await client.board(train) }
            let seat = try await a.car("2429", of: train).seats[6]
            try await a.send(\.occupySeat, query: "creditAmount=10&seatId=\(seat)").expect(201)
            try await body(a, b, seat, platform)
        }
    }

    @Test func seatEvent_withoutSocket_isPushed() async throws {
        try await meet { a, b, seat, platform in
            let (nameOfA, nameOfB) = (try await a.profile().name, try await b.profile().name)
            let (owner, requester) = ("/topic/seat.\(seat).owner", "/topic/seat.\(seat).requester.\(b.account)")
            try await b.yield(seat, "creditAmount=300&type=REQUEST")
            let request = try #require(try await platform.pushes(1, to: "a").first)
            let asked = ("\(nameOfB)님의 자리 요청", "\(nameOfB)님이 300 크레딧에 자리를 양보해 달라고 합니다.")
            try expect(request, "SEAT_REQUEST_RECEIVED", asked, try await firstMessage(owner, of: a), badge: 1)
            #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 300))

            // A client that got it by socket gets no push, and the list shows it as read.
            try await b.yield(seat, "creditAmount=300&type=CANCEL")
            #expect(try await a.nextRequest(seat) == .cancel(from: b.account))
            try await eventually { try await self.alarms(a).userAlarmItemList.count == 2 }
            let seen = try await alarms(a)
            #expect(seen.userAlarmItemList.map(\.type) == ["SEAT_REQUEST_CANCELED", "SEAT_REQUEST_RECEIVED"])
            #expect(seen.userAlarmItemList.map(\.read) == [true, false] && seen.unreadCount == 1)
            #expect(seen.userAlarmItemList.last?.title == asked.0 && seen.userAlarmItemList.last?.body == asked.1)

            // Without the subscription the next event is pushed again.
            try await a.unsubscribe(owner)
            try await b.yield(seat, "creditAmount=200&type=REQUEST")
            #expect(try await platform.pushes(2, to: "a").count == 2)
            try await a.reject(seat, of: b.account, 200)
            let refusal = try #require(try await platform.pushes(1, to: "b").first)
            let no = ("자리 요청이 거절되었어요", "다른 자리를 찾아보세요.")
            try expect(refusal, "SEAT_REQUEST_REJECTED", no, try await firstMessage(requester, of: b), badge: 1)
            #expect(try await b.nextReply(seat).isAccepted == false)
            try await b.unsubscribe(requester)

            try await b.yield(seat, "creditAmount=100&type=REQUEST")
            #expect(try await platform.pushes(3, to: "a").count == 3)
            try await b.yield(seat, "creditAmount=100&type=CANCEL")
            let cancel = try #require(try await platform.pushes(4, to: "a").last)
            #expect(cancel.title == "자리 요청이 취소되었어요" && cancel.body == "\(nameOfB)님이 요청을 취소했습니다.")
            #expect(cancel.data["type"] == "SEAT_REQUEST_CANCELED")
            let payload = Data(try #require(cancel.data["payload"]).utf8)
            #expect(try JSONDecoder().decode(SeatCatcherSeatRequest.self, from: payload) == .cancel(from: b.account))

            try await b.yield(seat, "creditAmount=50&type=REQUEST")
            let amounts = try await platform.pushes(5, to: "a").map(\.body)
            #expect(amounts.compactMap { $0?.firstMatch(of: /(\d+) 크레딧/)?.1 } == ["300", "200", "100", "50"])
            try await a.accept(seat, of: b.account)
            let acceptance = try #require(try await platform.pushes(2, to: "b").last)
            let yes = ("자리 요청이 수락되었어요", "\(nameOfA)님이 자리를 양보하기로 했습니다. 방배에서 내릴 때 자리를 이어받으세요.")
            try expect(acceptance, "SEAT_REQUEST_ACCEPTED", yes, try await firstMessage(requester, of: b), badge: 2)
            #expect(try await b.nextReply(seat).isAccepted)
        }
    }

    @Test func arrival_isPushedToDevicesOfAccount() async throws {
        try await meet { [train] a, b, seat, platform in
            // A sign-in without a token keeps the device; one with another token adds a device.
            _ = try await platform.signIn(kakao: 101)
            _ = try await platform.signIn(kakao: 101, device: "a2")
            try await platform.device("a2", belongsTo: a.account)
            try await platform.place(train, at: "방배", in: -5)
            try await platform.lookForTrains()
            let arrival = ReceivedPush.notice(
                "목적지에 도착했어요",
                "앉아 있던 자리를 비웠습니다.",
                ["type": "ARRIVAL_HANDLED"],
                badge: 1
            )
            for token in ["a", "a2"] { #expect(try await platform.pushes(1, to: token) == [arrival]) }
            let list = try await alarms(a)
            #expect(list.userAlarmItemList.map(\.type) == ["ARRIVAL_HANDLED"])
            let id = try #require(list.userAlarmItemList.first?.id)
            try await b.send(\.getAlarm, id).expect(403)
            try await a.send(\.getAlarm, id).expect()
            #expect(try await alarms(a).unreadCount == 0)

            // A device that changes accounts gets pushes of its new account only.
            _ = try await platform.signIn(kakao: 102, device: "a")
            try await platform.device("a", belongsTo: b.account)
            try await a.send(\.occupySeat, query: "creditAmount=10&seatId=\(seat)").expect(201)
            try await b.path(until: true)
            try await b.yield(seat, "creditAmount=10&type=REQUEST")
            #expect(try await platform.pushes(2, to: "a2").last?.data["type"] == "SEAT_REQUEST_RECEIVED")
            #expect(try await platform.pushes(to: "a") == [arrival])
        }
    }
}
