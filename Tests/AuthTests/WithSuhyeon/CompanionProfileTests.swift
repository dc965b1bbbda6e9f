import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(2)), .service) struct CompanionProfileTests {
    private var world: AuthWorld { .current }
    private static let number = "01012345678"

    private func error(_ answer: TestResponse) throws -> String {
        #expect(try answer.keys() == ["errorCode", "message", "result"])
        return try answer.json(Refusal.self).errorCode
    }

    private func result(_ answer: TestResponse) throws -> [String: String] {
        #expect(answer.status == .ok)
        #expect(try answer.keys() == ["errorCode", "message", "result"])
        return try answer.json(Envelope<[String: String]>.self).result
    }

    private struct UserID: Decodable { var userId: TicketID }

    private func ticket(_ client: ServiceClient) async throws -> TicketID {
        let answer = try await client.send(.get, "/api/v1/user-id")
        return try answer.json(Envelope<UserID>.self).result.userId
    }

    @Test func ownProfile_isShown() async throws {
        let me = try await world.client(.withsuhyeon, world.companion(Self.number))
        #expect(
            try result(await me.send(.get, "/api/v1/mypage")) == ["nickname": "수현", "profileImage": "img_red_suma"]
        )
        #expect(try result(await me.send(.get, "/api/v1/mypage/preference")) == ["region": "잠실/송파/강동"])
        #expect(try result(await me.send(.get, "/api/v1/mypage/phone-number")) == ["phoneNumber": Self.number])
        let anonymous = ServiceClient(world.client, to: .auth, app: .withsuhyeon, account: 9999)
        let gone = try await anonymous.send(.get, "/api/v1/mypage")
        #expect(gone.status == .notFound)
        #expect(try error(gone) == "USER_001")
        #expect(try await world.client(.withsuhyeon).send(.get, "/api/v1/mypage").status == .unauthorized)
    }

    @Test func region_isUpdated() async throws {
        let me = try await world.client(.withsuhyeon, world.companion(Self.number))
        let path = "/api/v1/mypage/preference"
        #expect(try await me.send(.patch, path, json: #"{"region":"우도"}"#).status == .ok)
        #expect(try result(await me.send(.get, path)) == ["region": "우도"])
        let unknown = try await me.send(.patch, path, json: #"{"region":"JEJU_WOODO"}"#)
        #expect(unknown.status == .badRequest)
        #expect(try error(unknown) == "POST_003")
        #expect(try error(await me.send(.patch, path, json: "{}")) == "REQUEST_001")
    }

    @Test func phoneNumber_isUpdatedAfterVerification() async throws {
        let tokens = try await world.companion(Self.number)
        let me = try world.client(.withsuhyeon, tokens)
        _ = try await world.companion("01000000002")
        let path = "/api/v1/mypage/phone-number"
        func change(_ number: String) async throws -> TestResponse {
            try await me.send(.patch, path, json: #"{"phoneNumber":"\#(number)"}"#)
        }
        #expect(try error(await change("01000000003")) == "USER_002")
        let taken = try await change("01000000002")
        #expect(taken.status == .conflict)
        #expect(try error(taken) == "USER_003")
        #expect(try error(await change("010")) == "REQUEST_001")
        #expect(try await change(Self.number).status == .ok)
        try await world.prove("01000000003", flow: "signup")
        #expect(try await change("01000000003").status == .ok)
        #expect(try result(await me.send(.get, path)) == ["phoneNumber": "01000000003"])
        try await world.prove("01000000003", flow: "signin")
        let account = try await world.signIn(phone: "01000000003").claims.account
        #expect(account == (try tokens.claims.account))
        #expect(try await world.companion(Self.number).claims.account != account)
    }

    @Test func blockedNumbers_areAtMostThousand() async throws {
        let tokens = try await world.companion(Self.number)
        let me = try world.client(.withsuhyeon, tokens)
        let account = try tokens.claims.account
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO blocked_numbers (account_id, phone)
            SELECT \(account), '0101' || lpad(n::text, 7, '0') FROM generate_series(1, 999) n
            """
        )
        func block(_ number: String) async throws -> TestResponse {
            try await me.send(.post, "/api/v1/mypage/blocks", json: #"{"phoneNumber":"\#(number)"}"#)
        }
        #expect(try await block("01000000002").status == .ok)
        #expect(try error(await block("01000000003")) == "REQUEST_001")
        #expect(try error(await block("01000000002")) == "BLOCK_004")
        #expect(try await me.send(.delete, "/api/v1/mypage/blocks?number=01000000002").status == .noContent)
        #expect(try await block("01000000003").status == .ok)
    }

    @Test func blockedNumbers_areAddedListedAndRemoved() async throws {
        struct List: Decodable, Equatable {
            var nickname: String
            var phoneNumbers: [String]
        }
        let tokens = try await world.companion(Self.number)
        let me = try world.client(.withsuhyeon, tokens)
        let path = "/api/v1/mypage/blocks"
        func block(_ number: String) async throws -> TestResponse {
            try await me.send(.post, path, json: #"{"phoneNumber":"\#(number)"}"#)
        }
        #expect(try await block("01000000002").status == .ok)
        #expect(try await block("01000000003").status == .ok)
        #expect(try error(await block("01000000002")) == "BLOCK_004")
        #expect(try error(await block(Self.number)) == "BLOCK_002")
        #expect(try error(await block("02")) == "REQUEST_001")
        let list = try await me.send(.get, path).json(Envelope<List>.self).result
        #expect(list == List(nickname: "수현", phoneNumbers: ["01000000003", "01000000002"]))

        let other = try await world.companion("01000000002")
        let asked = try await ServiceClient(world.client, to: .auth, process: .community).send(
            .get,
            AuthAPI.Blockers.path(other.claims.account)
        )
        #expect(try asked.json(AuthAPI.Blockers.self).accounts == [try tokens.claims.account])

        #expect(try await me.send(.delete, "\(path)?number=01000000002").status == .noContent)
        let absent = try await me.send(.delete, "\(path)?number=01000000002")
        #expect(absent.status == .gone)
        #expect(try error(absent) == "BLOCK_001")
        for bad in ["", "?number=", "?number=02"] {
            #expect(try error(await me.send(.delete, "\(path)\(bad)")) == "BLOCK_003")
        }
    }

    @Test func concurrentBlocks_oneSucceeds() async throws {
        let me = try await world.client(.withsuhyeon, world.companion(Self.number))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    let body = #"{"phoneNumber":"01000000002"}"#
                    return try await me.send(.post, "/api/v1/mypage/blocks", json: body).status.code
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses.count { $0 == 200 } == 1)
        #expect(statuses.count { $0 == 400 } == 9)
    }

    @Test func ticket_identifiesSession() async throws {
        let chat = ServiceClient(world.client, to: .auth, process: .chat)
        let tokens = try await world.companion(Self.number)
        let me = try world.client(.withsuhyeon, tokens)
        let mine = try await ticket(me)
        #expect(mine.rawValue > 1 << 32)
        #expect(try await ticket(me) == mine)
        let held = try await chat.send(.get, AuthAPI.Ticket.path(mine)).json(AuthAPI.Ticket.self)
        #expect(try held == AuthAPI.Ticket(account: tokens.claims.account, session: tokens.claims.session))
        let other = try await ticket(world.client(.withsuhyeon, world.companion("01000000002")))
        #expect(other != mine)
        let account = try tokens.claims.account
        for wrong in [account.rawValue, 0, -1, mine.rawValue ^ 1].map(TicketID.init(rawValue:)) {
            #expect(try await chat.send(.get, AuthAPI.Ticket.path(wrong)).status == .notFound)
        }
        #expect(try await me.send(.post, "/api/v1/auth/logout").status == .ok)
        #expect(try await chat.send(.get, AuthAPI.Ticket.path(mine)).status == .notFound)
        #expect(try await me.send(.get, "/api/v1/user-id").status == .unauthorized)
        #expect(try await chat.send(.get, AuthAPI.Ticket.path(other)).status == .ok)
    }

    @Test func withdrawal_deletesPersonalDataAndReleasesNumber() async throws {
        let tokens = try await world.companion(Self.number)
        let me = try world.client(.withsuhyeon, tokens)
        _ = try await me.send(.post, "/api/v1/mypage/blocks", json: #"{"phoneNumber":"01000000002"}"#)
        let left = try await me.send(.delete, "/api/v1/auth/withdraw")
        #expect(left.status == .ok)
        #expect(left.text.contains(#""result":null"#))
        #expect(try await me.send(.delete, "/api/v1/auth/withdraw").status == .unauthorized)
        let traces = try await TestDatabase.current.client.one(
            """
            SELECT (SELECT count(*) FROM companions) + (SELECT count(*) FROM blocked_numbers)
                + (SELECT count(*) FROM phone_codes) + (SELECT count(*) FROM phone_proofs)
                + (SELECT count(*) FROM accounts WHERE phone IS NOT NULL)
            """
        ) { try $0.decode(Int.self) }
        #expect(traces == 0)
        let again = try await world.companion(Self.number)
        #expect(try again.claims.account != tokens.claims.account)
    }
}
