import AppClients
import Apps
import Contracts
import TestKit
import Testing

/// Which messages a subscription gets (SeatCatcher contract 2.4 and 2.7, W3).
@Suite(.timeLimit(.minutes(8))) struct SeatCatcherSubscriptionTests {
    private let train = "2234"

    @Test func subscription_toForeignOrUnknownTopic_closesSocket() async throws {
        try await Platform.test { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 1)
            try await a.board(train)
            let seat = try await a.car("2429", of: train).seats[0]
            let journey = a.journey
            let forbidden = [
                "/topic/seat.\(seat).requester.\(a.account)", "/topic/path-histories.\(journey)",
                "/topic/path-histories.999999", "/topic/seat.*", "/topic/seat.#", "/topic/seat.\(seat).*",
                "/topic/seat.*.owner", "/topic/#", "/topic/>", "#", "/topic/seat.\(seat).requester.*",
                "/topic/seat.\(seat).requester.\(a.account).x", "/topic/seat.0.owner", "/topic/seat.",
                "/topic/seat.\(seat).OWNER", "/topic/seat. \(seat).owner", "/exchange/amq.topic/seat.\(train)",
                "/queue/seat", "/user/queue/errors", "/topic/path-histories.-1",
                "/topic/seat.99999999999999999999.owner",
            ]
            for destination in forbidden {
                let b = try await SeatCatcherClient(platform, kakao: 2)
                try await b.socket.subscribe(destination)
                #expect(try await b.socket.ended() != nil, "\(destination)")
            }
        }
    }

    @Test func sendFrame_isRefusedAndClosesSocket() async throws {
        try await Platform.test { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 1)
            try await a.look(train)
            _ = try await a.nextCar(train)
            let forged = #"{"seatId":1,"isAccepted":true}"#
            for destination in [
                "/topic/seat.\(train)", "/topic/seat.1.owner", "/topic/seat.1.requester.\(a.account)", "/topic/hello",
                "/topic/path-histories.1", "/app/seat", "/exchange/x", "/app/hello/x",
            ] {
                let b = try await SeatCatcherClient(platform, kakao: 2)
                try await b.socket.send(
                    "SEND\ndestination:\(destination)\ncontent-type:application/json\n\n\(forged)\0"
                )
                #expect(try await b.socket.ended() == "Nothing can be sent there", "\(destination)")
            }
            try await a.socket.settle()
            #expect(try a.socket.unread("/topic/seat.\(train)").isEmpty)
        }
    }

    @Test func ownerTopic_withoutSitting_staysSilent() async throws {
        try await Platform.test(copies: 2) { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 1)
            let b = try await SeatCatcherClient(platform, kakao: 2)
            let seat = try await a.car("2429", of: train).seats[0]
            try await b.subscribe("/topic/seat.\(seat).owner")
            try await a.sit(seat)
            try await platform.credit(b, 10)
            try await b.ask(seat, 10)
            #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 10))
            try await b.cancel(seat, 10)
            #expect(try await a.nextRequest(seat) == .cancel(from: b.account))
            try await b.socket.settle()
            #expect(try b.socket.unread("/topic/seat.\(seat).owner").isEmpty)
        }
    }

    @Test func trainTopic_showsTheCarLastViewed() async throws {
        try await Platform.test(copies: 2) { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 1)
            let b = try await SeatCatcherClient(platform, kakao: 2)
            try await a.look(train, car: "2429")
            try await b.look(train, car: "2430")
            let first = try await a.car("2429", of: train).seats[0]
            let second = try await b.car("2430", of: train).seats[0]
            try await a.sit(first)
            try await b.sit(second)
            for (client, code, seat) in [(a, "2429", first), (b, "2430", second)] {
                let cars = try await client.cars(train, until: seat, is: client.account)
                #expect(cars.allSatisfy { $0.code == code })
            }
            // B views the other car without subscribing anew.
            _ = try await b.car("2429", of: train)
            #expect(try await b.cars(train, until: first, is: a.account).last?.code == "2429")
            try await a.leave(first)
            try await b.cars(train, until: first, is: nil)
            try await b.leave(second)
            for client in [a, b] {
                try await client.socket.settle()
                for frame in try client.socket.unread("/topic/seat.\(train)") {
                    #expect(try SeatCatcherCar(frame.value([SeatCatcherSection].self)).code == "2429")
                }
            }
        }
    }

    @Test func concurrentCarChangeAndSubscribe_endInOneCar() async throws {
        try await Platform.test { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 1)
            let b = try await SeatCatcherClient(platform, kakao: 2)
            let cars = ["2429", "2430"]
            var seats: [String: SeatID] = [:]
            for car in cars { seats[car] = try await a.car(car, of: train).seats[0] }
            for round in 0..<20 {
                let last = cars[round % 2]
                let look = Task { _ = try await b.car(last, of: train) }
                try await b.subscribe("/topic/seat.\(train)")
                try await look.value
                try await b.socket.settle()
                while try await b.nextCar(train).code != last {}
                for car in cars.filter({ $0 != last }) + [last] {
                    try await a.sit(seats[car] ?? 0)
                    if car == last { try await b.cars(train, until: seats[car] ?? 0, is: a.account) }
                    try await a.leave(seats[car] ?? 0)
                }
                while try await b.nextCar(train).occupants != [:] {}
                #expect(try b.socket.unread("/topic/seat.\(train)").isEmpty)
                try await b.unsubscribe("/topic/seat.\(train)")
            }
        }
    }

    @Test func repeatedSubscription_getsUpdatesOnce() async throws {
        try await Platform.test { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 1)
            // A subscription that is replaced before its first message gets none.
            for _ in 0..<2 {
                try await a.look(train)
                #expect(try await a.nextCar(train).occupants.isEmpty)
            }
            let seat = try await a.car("2429", of: train).seats[0]
            try await a.sit(seat)
            #expect(try await a.nextCar(train).occupants == [seat: a.account])
            try await a.socket.settle()
            #expect(try a.socket.unread("/topic/seat.\(train)").isEmpty)
        }
    }
}
