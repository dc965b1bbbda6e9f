import Contracts
import NIOHTTP1
import Postgres
import TestKit
import Testing

/// The walk-through of SeatCatcher contract 9, with each client on its own replica of the service.
@Suite(.timeLimit(.minutes(8))) struct SeatCatcherExchangeTests {
    private let train = "2999"

    /// Both in the car, A on its first seat, B with 310 of credit of which 10 are spent on seat information.
    private func meet(
        _ body: @escaping @Sendable (_ a: LivePhone, _ b: LivePhone, _ seat: SeatID, Platform) async throws -> Void
    ) async throws {
        try await Platform.test(copies: 2) { [train] platform in
            let a = try await LivePhone(platform, kakao: 101)
            let b = try await LivePhone(platform, kakao: 102)
            try await platform.pay(b, 310)
            try await platform.place(train, at: "강남", in: 90)
            for phone in [a, b] {
                try await phone.send(.GET, "/stations?keyword=%EA%B0%95%EB%82%A8&line=2&order=up", 200)
                let incomings = "/trains/incomings?dep=%EA%B0%95%EB%82%A8&dest=%EB%B0%A9%EB%B0%B0&lineNumber=2"
                let trains = try await phone.send(.GET, incomings, 200).value([TrainBody].self)
                #expect(trains.contains { $0.btrainNo == train && $0.ordkey.count > 5 })
                try await phone.board(train)
                let standing = try await phone.path(until: false)
                #expect(standing.nextScheduleTime != nil)
                #expect(try await phone.nextCar(train).occupants.isEmpty)
            }
            let seat = try await a.car("2429", of: train).seats[6]
            try await a.sit(seat)
            for phone in [a, b] {
                #expect(try await phone.nextCar(train).occupants == [seat: a.account])
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
            #expect(try await a.nextNotice(seat) == .request(from: b.account, amount: 300))
            #expect(try await b.credit == 0)
            try await b.cancel(seat, 300)
            #expect(try await a.nextNotice(seat) == .cancel(from: b.account))
            #expect(try await b.credit == 300)
            try await a.yield(seat, "oppositeUserId=\(b.account)&type=ACCEPT", 409)
            #expect(try await a.credit == 300)
        }
    }

    @Test func rejectedRequest_mayBeRepeated() async throws {
        try await meet { a, b, seat, _ in
            for amount in [300, 200] {
                try await b.ask(seat, amount)
                #expect(try await a.nextNotice(seat) == .request(from: b.account, amount: amount))
                try await a.reject(seat, of: b.account, amount)
                let reply = try await b.nextReply(seat)
                #expect(!reply.isAccepted && reply.ownerId == a.account)
                #expect(try await b.credit == 300)
            }
            try await b.send(.PATCH, "/user/seats?creditAmount=300&seatId=\(seat)", 403)
        }
    }

    @Test func acceptedRequest_transfersSeatUntilArrival() async throws {
        try await meet { [train] a, b, seat, platform in
            try await b.ask(seat, 300)
            #expect(try await a.nextNotice(seat) == .request(from: b.account, amount: 300))
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
            for phone in [a, b] {
                let end = try await phone.path(until: true)
                #expect(end.nextScheduleTime == nil)
                #expect(try await phone.cars(train, until: seat, is: nil).last?.occupants == [:])
            }
            try await b.socket.disconnect()
            #expect(try await a.car("2429", of: train).occupants.isEmpty)
            #expect((try await a.credit, try await b.credit) == (600, 0))
        }
    }

    @Test func arrival_withoutTrainData_followsExpectedTime() async throws {
        try await meet { [train] a, b, seat, platform in
            let calls = #"{"provider":"seoul","kind":"http","status":503,"count":1000}"#
            #expect(try await Wire.send(.POST, "\(platform.sandbox)/_control/faults", json: calls).status == 204)
            try await platform.seatsDatabase.client.execute("UPDATE journeys SET expected_arrival = now()")
            try await platform.lookForTrains()
            _ = try await a.path(until: true)
            try await b.cars(train, until: seat, is: nil)
        }
    }
}
