import AppClients
import Apps
import TestKit
import Testing

@testable import Auth
@testable import Seats

/// Which sessions may connect, and when their sockets are closed (SeatCatcher contract 2.2, 4.10).
@Suite(.timeLimit(.minutes(8))) struct SeatCatcherConnectionTests {
    private let train = "2999"

    private func meet(_ body: @escaping ExchangeTest) async throws {
        try await Platform.test(copies: 2) { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 401)
            let b = try await SeatCatcherClient(platform, kakao: 402)
            try await platform.credit(b, 300)
            for client in [a, b] { try await client.board(train) }
            let seat = try await a.car("2429", of: train).seats[0]
            try await a.sit(seat)
            try await body(a, b, seat, platform)
            try await platform.checkLedger()
        }
    }

    /// Withdraws, and requires that the socket is closed and cannot be opened again.
    private func withdraw(_ client: SeatCatcherClient, _ platform: Platform) async throws {
        try await client.send(\.withdraw).expect(204)
        #expect(try await client.socket.ended() == "Your session has ended")
        await #expect(throws: SeatCatcherSocket.Refused.self) {
            try await platform.seatCatcherSocket(token: client.token)
        }
    }

    @Test func withdrawal_whileSeated_vacatesSeat() async throws {
        try await meet { [train] a, b, seat, platform in
            try await b.cars(train, until: seat, is: a.account)
            try await withdraw(a, platform)
            try await b.cars(train, until: seat, is: nil)
            try await b.sit(seat)
        }
    }

    @Test func withdrawal_ofAskedOwner_rejectsRequest() async throws {
        try await meet { [train] a, b, seat, platform in
            try await b.ask(seat, 300)
            try await withdraw(a, platform)
            #expect(try await b.nextReply(seat).isAccepted == false)
            try await b.cars(train, until: seat, is: a.account)
            try await b.cars(train, until: seat, is: nil)
            #expect(try await b.credit == 300)
        }
    }

    @Test func withdrawal_ofRequester_cancelsRequest() async throws {
        try await meet { [train] a, b, seat, platform in
            try await b.ask(seat, 200)
            #expect(try await a.nextRequest(seat) == .request(from: b.account, amount: 200))
            try await withdraw(b, platform)
            #expect(try await a.nextRequest(seat) == .cancel(from: b.account))
            try await a.yield(seat, "oppositeUserId=\(b.account)&type=ACCEPT", 409)
            #expect(try await a.car("2429", of: train).occupants == [seat: a.account])
        }
    }

    @Test func withdrawal_whileTravelling_endsJourney() async throws {
        try await meet { [train] a, b, seat, platform in
            try await b.ask(seat, 300)
            try await a.accept(seat, of: b.account)
            try await b.takeOver(seat, 300)
            try await withdraw(b, platform)
            try await a.cars(train, until: seat, is: b.account)
            try await a.cars(train, until: seat, is: nil)
            // The tracker follows no train for a withdrawn user.
            let journeys = try await platform.journeys(of: b.account)
            #expect(journeys == 0)
            // Until then Kakao may end the link, and the user's tokens with it.
            try await eventually { try await platform.hasLeft(b.account) }
            let again = try await SeatCatcherClient(platform, kakao: 402)
            #expect(again.account != b.account)
            #expect(try await again.credit == 0)
        }
    }

    @Test func revokedSession_closesOnlyItsOwnSocket() async throws {
        try await Platform.test(copies: 2) { platform in
            let stolen = try await SeatCatcherClient(platform, kakao: 1)
            let other = try await SeatCatcherClient(platform, kakao: 1)
            #expect(stolen.account == other.account)
            // A refresh token that was used two generations ago is theft.
            var refresh = stolen.refreshToken
            for _ in 0..<2 {
                refresh = try await stolen.refresh(refresh).expect(201).value(ClientTokens.self).refreshToken
            }
            try await stolen.refresh(stolen.refreshToken).expect(401)
            #expect(try await stolen.socket.ended() == "Your session has ended")
            for _ in 0..<2 {
                await #expect(throws: SeatCatcherSocket.Refused.self) {
                    try await platform.seatCatcherSocket(token: stolen.token)
                }
            }
            try await other.socket.settle()
        }
    }

    @Test func invalidTokens_areRefusedWithError() async throws {
        try await Platform.test { platform in
            let client = try await SeatCatcherClient(platform, kakao: 1)
            let foreign = try await AnlakaClient(platform, "a@b.kr", nick: "n")
            let tokens = [
                "", "x", client.refreshToken, client.token + "x",
                foreign.token, String(repeating: "a", count: 3000),
            ]
            for token in tokens {
                let refused = await #expect(throws: SeatCatcherSocket.Refused.self) {
                    try await platform.seatCatcherSocket(token: token)
                }
                #expect(refused?.message != nil, "\(token.prefix(20)) is refused with an ERROR")
            }
            try await client.socket.settle()
        }
    }

    @Test func expiredToken_refusesConnectButKeepsOpenSocket() async throws {
        try await Platform.test({ $0.accessTTL = 4 }, seats: { $0.tokenLeeway = 0 }) { [train] platform in
            let a = try await SeatCatcherClient(platform, kakao: 1)
            try await a.look(train)
            let seat = try await a.car("2429", of: train).seats[0]
            var refusal: SeatCatcherSocket.Refused?
            while refusal == nil {
                try await Task.sleep(for: .milliseconds(100))
                do {
                    try await platform.seatCatcherSocket(token: a.token).close()
                } catch let error as SeatCatcherSocket.Refused {
                    refusal = error
                }
            }
            #expect(refusal?.message == "Expired Token")
            let b = try await SeatCatcherClient(platform, kakao: 2)
            try await b.sit(seat)
            try await a.cars(train, until: seat, is: b.account)
        }
    }
}
