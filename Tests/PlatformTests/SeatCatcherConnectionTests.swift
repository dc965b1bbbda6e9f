import Contracts
import NIOHTTP1
import TestKit
import Testing

@testable import Auth
@testable import Seats

/// Which sessions may connect, and when their sockets are closed (SeatCatcher contract 2.2, 4.10).
@Suite(.timeLimit(.minutes(8))) struct SeatCatcherConnectionTests {
    private let train = "2999"

    private func meet(
        _ body: @escaping @Sendable (_ a: LivePhone, _ b: LivePhone, _ seat: SeatID, Platform) async throws -> Void
    ) async throws {
        try await Platform.test(copies: 2) { [train] platform in
            let a = try await LivePhone(platform, kakao: 401)
            let b = try await LivePhone(platform, kakao: 402)
            try await platform.pay(b, 300)
            for phone in [a, b] { try await phone.board(train) }
            let seat = try await a.car("2429", of: train).seats[0]
            try await a.sit(seat)
            try await body(a, b, seat, platform)
            try await platform.checkLedger()
        }
    }

    /// Withdraws, and requires that the socket is closed and cannot be opened again.
    private func withdraw(_ phone: LivePhone) async throws {
        try await phone.send(.DELETE, "/user/me", 204)
        #expect(try await phone.socket.ended() == "Your session has ended")
        await #expect(throws: AppSocket.Refused.self) {
            try await AppSocket(phone.platform.gateway, token: phone.tokens.accessToken)
        }
    }

    @Test func withdrawal_whileSeated_vacatesSeat() async throws {
        try await meet { [train] a, b, seat, _ in
            try await b.cars(train, until: seat, is: a.account)
            try await withdraw(a)
            try await b.cars(train, until: seat, is: nil)
            try await b.sit(seat)
        }
    }

    @Test func withdrawal_ofAskedOwner_rejectsRequest() async throws {
        try await meet { [train] a, b, seat, _ in
            try await b.ask(seat, 300)
            try await withdraw(a)
            #expect(try await b.nextReply(seat).isAccepted == false)
            try await b.cars(train, until: seat, is: a.account)
            try await b.cars(train, until: seat, is: nil)
            #expect(try await b.credit == 300)
        }
    }

    @Test func withdrawal_ofRequester_cancelsRequest() async throws {
        try await meet { [train] a, b, seat, _ in
            try await b.ask(seat, 200)
            #expect(try await a.nextNotice(seat) == .request(from: b.account, amount: 200))
            try await withdraw(b)
            #expect(try await a.nextNotice(seat) == .cancel(from: b.account))
            try await a.yield(seat, "oppositeUserId=\(b.account)&type=ACCEPT", 409)
            #expect(try await a.car("2429", of: train).occupants == [seat: a.account])
        }
    }

    @Test func withdrawal_whileTravelling_endsJourney() async throws {
        try await meet { [train] a, b, seat, platform in
            try await b.ask(seat, 300)
            try await a.accept(seat, of: b.account)
            try await b.takeOver(seat, 300)
            try await withdraw(b)
            try await a.cars(train, until: seat, is: b.account)
            try await a.cars(train, until: seat, is: nil)
            // The tracker follows no train for a withdrawn user.
            let journeys = try await platform.journeys(of: b.account)
            #expect(journeys == 0)
            // Until then Kakao may end the link, and the user's tokens with it.
            while try await !platform.hasLeft(b.account) { try await Task.sleep(for: .milliseconds(20)) }
            let again = try await LivePhone(platform, kakao: 402)
            #expect(again.account != b.account)
            #expect(try await again.credit == 0)
        }
    }

    @Test func revokedSession_closesOnlyItsOwnSocket() async throws {
        try await Platform.test(copies: 2) { platform in
            let stolen = try await LivePhone(platform, kakao: 1)
            let other = try await LivePhone(platform, kakao: 1)
            #expect(stolen.account == other.account)
            // A refresh token that was used two generations ago is theft.
            var refresh = stolen.tokens.refreshToken
            for _ in 0..<2 {
                let json = #"{"refreshToken":"\#(refresh)"}"#
                refresh = try await stolen.send(.POST, "/token/refresh", json: json, 201).value(TokenPair.self)
                    .refreshToken
            }
            let json = #"{"refreshToken":"\#(stolen.tokens.refreshToken)"}"#
            try await stolen.send(.POST, "/token/refresh", json: json, 401)
            #expect(try await stolen.socket.ended() == "Your session has ended")
            for _ in 0..<2 {
                await #expect(throws: AppSocket.Refused.self) {
                    try await AppSocket(platform.gateway, token: stolen.tokens.accessToken)
                }
            }
            try await other.socket.settle()
        }
    }

    @Test func invalidTokens_areRefusedWithError() async throws {
        try await Platform.test { platform in
            let phone = try await LivePhone(platform, kakao: 1)
            let join = #"{"email":"a@b.kr","password":"abcd123!","nick":"n"}"#
            let foreign = try await platform.send(.POST, "/v1/users/join", key: "anlaka-dev-key", json: join)
            let tokens = [
                "", "x", phone.tokens.refreshToken, phone.tokens.accessToken + "x",
                try foreign.value(TokenPair.self).accessToken, String(repeating: "a", count: 3000),
            ]
            for token in tokens {
                let refused = await #expect(throws: AppSocket.Refused.self) {
                    try await AppSocket(platform.gateway, token: token)
                }
                #expect(refused?.message != nil, "\(token.prefix(20)) is refused with an ERROR")
            }
            try await phone.socket.settle()
        }
    }

    @Test func expiredToken_refusesConnectButKeepsOpenSocket() async throws {
        try await Platform.test({ $0.accessTTL = 4 }, seats: { $0.tokenLeeway = 0 }) { [train] platform in
            let a = try await LivePhone(platform, kakao: 1)
            try await a.look(train)
            let seat = try await a.car("2429", of: train).seats[0]
            var refusal: AppSocket.Refused?
            while refusal == nil {
                try await Task.sleep(for: .milliseconds(100))
                do {
                    try await AppSocket(platform.gateway, token: a.tokens.accessToken).drop()
                } catch let error as AppSocket.Refused {
                    refusal = error
                }
            }
            #expect(refusal?.message == "Expired Token")
            let b = try await LivePhone(platform, kakao: 2)
            try await b.sit(seat)
            try await a.cars(train, until: seat, is: b.account)
        }
    }
}
