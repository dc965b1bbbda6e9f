import AppClients
import Apps
import Contracts
import TestKit
import Testing

/// Races between clients that do not wait for each other (SeatCatcher contract 9, last paragraph).
@Suite(.timeLimit(.minutes(8))) struct SeatCatcherRaceTests {
    private let train = "2234"

    /// A sits on the car's first seat; B and C, with 300 each, watch the car.
    private func meet(
        _ body: @escaping @Sendable (_ clients: [SeatCatcherClient], _ seat: SeatID, Platform) async throws -> Void
    ) async throws {
        try await Platform.test(copies: 2) { [train] platform in
            var clients: [SeatCatcherClient] = []
            for kakao: Int64 in 201...203 {
                let client = try await SeatCatcherClient(platform, kakao: kakao)
                try await client.look(train)
                clients.append(client)
            }
            let seat = try await clients[0].car("2429", of: train).seats[0]
            try await clients[0].sit(seat)
            for client in clients[1...] { try await platform.credit(client, 300) }
            try await body(clients, seat, platform)
            try await platform.checkLedger()
        }
    }

    @Test func reply_waitsForSubscriptionAndArrivesOnce() async throws {
        try await meet { clients, seat, platform in
            let (a, b) = (clients[0], clients[1])
            let topic = "/topic/seat.\(seat).requester.\(b.account)"
            try await b.yield(seat, "creditAmount=20&type=REQUEST")
            try await a.reject(seat, of: b.account, 20)
            try await b.subscribe(topic)
            #expect(try await b.nextReply(seat).isAccepted == false)

            try await eventually {
                try await platform.undelivered(topic: "requester/\(seat)/\(b.account)") == 0
            }
            try await b.unsubscribe(topic)
            try await b.subscribe(topic)
            try await b.socket.settle()
            #expect(try b.socket.unread(topic).isEmpty)

            try await b.yield(seat, "creditAmount=30&type=REQUEST")
            try await a.accept(seat, of: b.account)
            #expect(try await b.nextReply(seat).isAccepted)
            try await b.takeOver(seat, 30)
        }
    }

    @Test func request_waitsForOwnersSubscription() async throws {
        try await meet { clients, seat, _ in
            let (b, c) = (clients[1], clients[2])
            try await clients[0].unsubscribe("/topic/seat.\(seat).owner")
            try await b.ask(seat, 0)
            try await c.ask(seat, 7)
            try await clients[0].subscribe("/topic/seat.\(seat).owner")
            #expect(try await clients[0].nextRequest(seat) == .request(from: b.account, amount: 0))
            #expect(try await clients[0].nextRequest(seat) == .request(from: c.account, amount: 7))
        }
    }

    @Test func ownerLeaving_rejectsOpenRequest() async throws {
        try await meet { [train] clients, seat, _ in
            let (a, b) = (clients[0], clients[1])
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
        try await meet { clients, seat, platform in
            let (a, b) = (clients[0], clients[1])
            try await b.ask(seat, 100)
            async let accepted = a.send(\.yieldSeat, seat, query: "oppositeUserId=\(b.account)&type=ACCEPT")
            async let cancelled = b.send(\.yieldSeat, seat, query: "creditAmount=100&type=CANCEL")
            let statuses = [try await accepted.status, try await cancelled.status]
            #expect(statuses.sorted() == [200, 409])
            let isMoved = statuses[0] == 200
            #expect(try await b.car("2429", of: "2234").occupants == [seat: isMoved ? b.account : a.account])
            #expect(try await b.credit == (isMoved ? 200 : 300))
        }
    }

    @Test func twoRequests_acceptedOne_rejectsTheOther() async throws {
        try await meet { clients, seat, _ in
            let (a, b, c) = (clients[0], clients[1], clients[2])
            try await b.ask(seat, 300)
            try await c.ask(seat, 250)
            try await a.accept(seat, of: c.account)
            #expect(try await c.nextReply(seat).isAccepted)
            #expect(try await b.nextReply(seat).isAccepted == false)
            try await c.takeOver(seat, 250)
            try await b.send(\.confirmSeat, query: "creditAmount=300&seatId=\(seat)").expect(403)
            #expect((try await a.credit, try await b.credit, try await c.credit) == (550, 300, 50))
            // The new owner gets the request, and the former one does not, though still subscribed.
            try await b.ask(seat, 300)
            #expect(try await c.nextRequest(seat) == .request(from: b.account, amount: 300))
            try await a.socket.settle()
            let heard = try a.socket.unread("/topic/seat.\(seat).owner").map(\.body)
            #expect(
                heard.count == 2
                    && heard.allSatisfy { !$0.contains(#""creditAmount":300"#) || $0.contains("\(b.account)") }
            )
        }
    }

    @Test func repeatedRequest_isCountedOnce() async throws {
        try await meet { clients, seat, _ in
            let (a, b) = (clients[0], clients[1])
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask { try? await b.yield(seat, "creditAmount=90&type=REQUEST") }
                }
            }
            #expect(try await b.credit == 210)
            #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 90))
            try await b.ask(seat, 120)
            #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 120))
            #expect(try await b.credit == 180)
        }
    }

    @Test func invalidAmounts_return400() async throws {
        try await meet { clients, seat, _ in
            let b = clients[1]
            for amount in ["-1", "", "x", "1.5", "301", "9223372036854775807", "9223372036854775808", "1e3"] {
                try await b.yield(seat, "creditAmount=\(amount)&type=REQUEST", 400)
            }
            try await b.yield(seat, "type=REQUEST", 400)
            #expect(try await b.credit == 300)
            try await b.ask(seat, 0)
            // The amount sent along with a reply is ignored.
            try await clients[0].reject(seat, of: b.account, 5000)
            #expect(try await b.nextReply(seat).isAccepted == false)
            try await b.ask(seat, 10)
            try await b.cancel(seat, -999)
            #expect(try await b.credit == 300)
        }
    }

    @Test func seatTakeover_withoutAcceptance_isRefused() async throws {
        try await meet { clients, seat, _ in
            let (a, b, c) = (clients[0], clients[1], clients[2])
            try await c.send(\.confirmSeat, query: "creditAmount=300&seatId=\(seat)").expect(403)
            try await b.ask(seat, 300)
            try await b.send(\.confirmSeat, query: "creditAmount=300&seatId=\(seat)").expect(409)
            try await c.yield(seat, "oppositeUserId=\(b.account)&type=ACCEPT", 403)
            try await c.yield(seat, "creditAmount=1&type=CANCEL", 404)
            try await a.yield(seat, "creditAmount=300&oppositeUserId=\(c.account)&type=REJECT", 404)
            #expect(try await c.car("2429", of: "2234").occupants == [seat: a.account])
            #expect(try await c.credit == 300)
        }
    }
}
