import Contracts
import NIOHTTP1
import TestKit
import Testing

/// Races between clients that do not wait for each other (SeatCatcher contract 9, last paragraph).
@Suite(.timeLimit(.minutes(8))) struct SeatCatcherRaceTests {
    private let train = "2234"

    /// A sits on the car's first seat; B and C, with 300 each, watch the car.
    private func meet(
        _ body: @escaping @Sendable (_ phones: [LivePhone], _ seat: SeatID, Platform) async throws -> Void
    ) async throws {
        try await Platform.test(copies: 2) { [train] platform in
            var phones: [LivePhone] = []
            for kakao in 201...203 {
                let phone = try await LivePhone(platform, kakao: kakao)
                try await phone.look(train)
                phones.append(phone)
            }
            let seat = try await phones[0].car("2429", of: train).seats[0]
            try await phones[0].sit(seat)
            for phone in phones[1...] { try await platform.pay(phone, 300) }
            try await body(phones, seat, platform)
            try await platform.checkLedger()
        }
    }

    @Test func reply_waitsForSubscriptionAndArrivesOnce() async throws {
        try await meet { phones, seat, platform in
            let (a, b) = (phones[0], phones[1])
            let topic = "/topic/seat.\(seat).requester.\(b.account)"
            try await b.yield(seat, "creditAmount=20&type=REQUEST")
            try await a.reject(seat, of: b.account, 20)
            try await b.subscribe(topic)
            #expect(try await b.nextReply(seat).isAccepted == false)

            while try await platform.undelivered(topic: "requester/\(seat)/\(b.account)") > 0 {
                try await Task.sleep(for: .milliseconds(5))
            }
            try await b.unsubscribe(topic)
            try await b.subscribe(topic)
            try await b.socket.settle()
            #expect(await b.socket.waiting(topic).isEmpty)

            try await b.yield(seat, "creditAmount=30&type=REQUEST")
            try await a.accept(seat, of: b.account)
            #expect(try await b.nextReply(seat).isAccepted)
            try await b.takeOver(seat, 30)
        }
    }

    @Test func request_waitsForOwnersSubscription() async throws {
        try await meet { phones, seat, _ in
            let (b, c) = (phones[1], phones[2])
            try await phones[0].unsubscribe("/topic/seat.\(seat).owner")
            try await b.ask(seat, 0)
            try await c.ask(seat, 7)
            try await phones[0].subscribe("/topic/seat.\(seat).owner")
            #expect(try await phones[0].nextNotice(seat) == .request(from: b.account, amount: 0))
            #expect(try await phones[0].nextNotice(seat) == .request(from: c.account, amount: 7))
        }
    }

    @Test func ownerLeaving_rejectsOpenRequest() async throws {
        try await meet { [train] phones, seat, _ in
            let (a, b) = (phones[0], phones[1])
            try await b.ask(seat, 300)
            try await a.leave(seat)
            #expect(try await b.nextReply(seat).isAccepted == false)
            try await b.cars(train, until: seat, is: a.account)
            try await b.cars(train, until: seat, is: nil)
            try await a.yield(seat, "oppositeUserId=\(b.account)&type=ACCEPT", 409)
            #expect(try await b.credit == 300)
            // The rejected requester may sit down.
            try await b.sit(seat)
        }
    }

    @Test func concurrentAcceptAndCancel_haveOneWinner() async throws {
        try await meet { phones, seat, platform in
            let (a, b) = (phones[0], phones[1])
            try await b.ask(seat, 100)
            async let accepted = a.send(.POST, "/user/seats/\(seat)/yield?oppositeUserId=\(b.account)&type=ACCEPT")
            async let cancelled = b.send(.POST, "/user/seats/\(seat)/yield?creditAmount=100&type=CANCEL")
            let statuses = [try await accepted.status, try await cancelled.status]
            #expect(statuses.sorted() == [200, 409])
            let isMoved = statuses[0] == 200
            #expect(try await b.car("2429", of: "2234").occupants == [seat: isMoved ? b.account : a.account])
            #expect(try await b.credit == (isMoved ? 200 : 300))
        }
    }

    @Test func twoRequests_acceptedOne_rejectsTheOther() async throws {
        try await meet { phones, seat, _ in
            let (a, b, c) = (phones[0], phones[1], phones[2])
            try await b.ask(seat, 300)
            try await c.ask(seat, 250)
            try await a.accept(seat, of: c.account)
            #expect(try await c.nextReply(seat).isAccepted)
            #expect(try await b.nextReply(seat).isAccepted == false)
            try await c.takeOver(seat, 250)
            try await b.send(.PATCH, "/user/seats?creditAmount=300&seatId=\(seat)", 403)
            #expect((try await a.credit, try await b.credit, try await c.credit) == (550, 300, 50))
            // The new owner gets the request, and the former one does not, though still subscribed.
            try await b.ask(seat, 300)
            #expect(try await c.nextNotice(seat) == .request(from: b.account, amount: 300))
            try await a.socket.settle()
            let heard = await a.socket.waiting("/topic/seat.\(seat).owner").map(\.body)
            #expect(
                heard.count == 2
                    && heard.allSatisfy { !$0.contains(#""creditAmount":300"#) || $0.contains("\(b.account)") }
            )
        }
    }

    @Test func repeatedRequest_isCountedOnce() async throws {
        try await meet { phones, seat, _ in
            let (a, b) = (phones[0], phones[1])
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        _ = try? await b.send(.POST, "/user/seats/\(seat)/yield?creditAmount=90&type=REQUEST", 200)
                    }
                }
            }
            #expect(try await b.credit == 210)
            #expect(try await a.nextNotice(seat) == .request(from: b.account, amount: 90))
            try await b.ask(seat, 120)
            #expect(try await a.nextNotice(seat) == .request(from: b.account, amount: 120))
            #expect(try await b.credit == 180)
        }
    }

    @Test func invalidAmounts_return400() async throws {
        try await meet { phones, seat, _ in
            let b = phones[1]
            for amount in ["-1", "", "x", "1.5", "301", "9223372036854775807", "9223372036854775808", "1e3"] {
                try await b.yield(seat, "creditAmount=\(amount)&type=REQUEST", 400)
            }
            try await b.yield(seat, "type=REQUEST", 400)
            #expect(try await b.credit == 300)
            try await b.ask(seat, 0)
            // The amount sent along with a reply is ignored.
            try await phones[0].reject(seat, of: b.account, 5000)
            #expect(try await b.nextReply(seat).isAccepted == false)
            try await b.ask(seat, 10)
            try await b.cancel(seat, -999)
            #expect(try await b.credit == 300)
        }
    }

    @Test func seatTakeover_withoutAcceptance_isRefused() async throws {
        try await meet { phones, seat, _ in
            let (a, b, c) = (phones[0], phones[1], phones[2])
            try await c.send(.PATCH, "/user/seats?creditAmount=300&seatId=\(seat)", 403)
            try await b.ask(seat, 300)
            try await b.send(.PATCH, "/user/seats?creditAmount=300&seatId=\(seat)", 409)
            try await c.yield(seat, "oppositeUserId=\(b.account)&type=ACCEPT", 403)
            try await c.yield(seat, "creditAmount=1&type=CANCEL", 404)
            try await a.yield(seat, "creditAmount=300&oppositeUserId=\(c.account)&type=REJECT", 404)
            #expect(try await c.car("2429", of: "2234").occupants == [seat: a.account])
            #expect(try await c.credit == 300)
        }
    }
}
