import AppClients
import Apps
import Postgres
import TestKit
import Testing

/// The walk-through of SeatCatcher contract 9, with each client on its own replica of the service.
@Suite(.timeLimit(.minutes(8))) struct SeatCatcherExchangeTests {
    private let train = "2999"

    /// Both in the car, A on its first seat, B with 310 of credit of which 10 are spent on seat information.
    private func meet(_ body: @escaping ExchangeTest) async throws {
        try await Platform.test(copies: 2) { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 101)
            let b = try await SeatCatcherClient(platform, kakao: 102)
            try await platform.credit(b, 310)
            try await platform.place(train, at: "강남", in: 90)
            for client in [a, b] {
                try await client.send(\.searchStations, query: "keyword=강남&line=2&order=up").expect()
                let trains = try await client.send(\.listIncomingTrains, query: "dep=강남&dest=방배&lineNumber=2").expect()
                    .value([SeatCatcherTrain].self)
                #expect(trains.contains { $0.btrainNo == train && $0.ordkey.count > 5 })
                try await client.board(train)
                let standing = try await client.path(until: false)
                #expect(standing.nextScheduleTime != nil)
                #expect(try await client.nextCar(train).occupants.isEmpty)
            }
            let seat = try await a.car("2429", of: train).seats[6]
            try await a.sit(seat)
            for client in [a, b] {
                #expect(try await client.nextCar(train).occupants == [seat: a.account])
            }
            #expect(try await a.credit == 300)
            try await b.unlock()
            #expect(try await b.credit == 300)
            try await body(a, b, seat, platform)
            try await platform.checkLedger()
        }
    }

    @Test func cancelledRequest_refundsCredit() async throws {
        try await meet { a, b, seat, _ in
            try await b.ask(seat, 300)
            #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 300))
            #expect(try await b.credit == 0)
            try await b.cancel(seat, 300)
            #expect(try await a.nextRequest(seat) == .cancel(from: b.account))
            #expect(try await b.credit == 300)
            try await a.yield(seat, "oppositeUserId=\(b.account)&type=ACCEPT", 409)
            #expect(try await a.credit == 300)
        }
    }

    @Test func rejectedRequest_mayBeRepeated() async throws {
        try await meet { a, b, seat, _ in
            for amount in [300, 200] {
                try await b.ask(seat, amount)
                #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: amount))
                try await a.reject(seat, of: b.account, amount)
                let reply = try await b.nextReply(seat)
                #expect(!reply.isAccepted && reply.ownerId == a.account)
                #expect(try await b.credit == 300)
            }
            try await b.send(\.confirmSeat, query: "creditAmount=300&seatId=\(seat)").expect(403)
        }
    }

    @Test func acceptedRequest_transfersSeatUntilArrival() async throws {
        try await meet { [train] a, b, seat, platform in
            try await b.ask(seat, 300)
            #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 300))
            try await a.accept(seat, of: b.account)
            #expect(try await a.credit == 600)
            let reply = try await b.nextReply(seat)
            #expect(reply.isAccepted && reply.seatId == seat && reply.oppositeUserId == b.account)
            try await b.takeOver(seat, 300)

            let history = try await a.cars(train, until: seat, is: b.account)
            #expect(try await b.cars(train, until: seat, is: b.account) == history)
            #expect(history.map(\.occupants) == [[seat: b.account]])

            try await platform.place(train, at: "방배", in: -5)
            try await platform.lookForTrains()
            for client in [a, b] {
                let end = try await client.path(until: true)
                #expect(end.nextScheduleTime == nil)
                #expect(try await client.cars(train, until: seat, is: nil).last?.occupants == [:])
            }
            try await b.socket.disconnect()
            #expect(try await a.car("2429", of: train).occupants.isEmpty)
            #expect((try await a.credit, try await b.credit) == (600, 0))
        }
    }

    @Test func arrival_withoutTrainData_followsExpectedTime() async throws {
        try await meet { [train] a, b, seat, platform in
            try await platform.fault("seoul", count: 1000, status: 503)
            try await platform.seatsDatabase.client.execute("UPDATE journeys SET expected_arrival = now()")
            try await platform.lookForTrains()
            try await a.path(until: true)
            try await b.cars(train, until: seat, is: nil)
        }
    }
}
