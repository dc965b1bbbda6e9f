import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Auth

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct ProviderWebhookTests {
    private var world: AuthWorld { .current }
    private static let kakao = "/notices/seatcatcher/kakao"
    private static let key: HTTPFields = [.authorization: "KakaoAK madang-development-admin-key"]

    private func refresh(_ tokens: TokenPair) async throws -> Int {
        let body = #"{"refreshToken":"\#(tokens.refreshToken)"}"#
        return try await world.client().send(.post, "/token/refresh", json: body).status.code
    }

    private func apple(_ fields: String) async throws -> String {
        try await world.control("apple/notices", "{\(fields)}")["payload"] ?? ""
    }

    private func send(payload: String) async throws -> Int {
        let json = #"{"payload":"\#(payload)"}"#
        return try await world.client().send(.post, "/notices/seatcatcher/apple", json: json).status.code
    }

    private func signInWithApple(_ sub: String) async throws -> TokenPair {
        let token = try await world.appleToken(#"{"sub":"\#(sub)"}"#)
        let body = #"{"identityToken":"\#(token)","fcmToken":"","authorizationCode":""}"#
        return try await world.client().send(.post, "/user/authenticate/apple", json: body).json()
    }

    private func isGone(_ account: AccountID) async throws -> Bool {
        try await TestDatabase.current.client.one(
            "SELECT withdrawn_at IS NOT NULL FROM accounts WHERE id = \(account)"
        ) { try $0.decode(Bool.self) }
    }

    @Test func kakaoUnlink_endsSessions() async throws {
        let (account, tokens) = try await world.signIn(kakao: 1)
        let other = try await world.signIn(kakao: 2).tokens
        let query = "app_id=1&user_id=1&referrer_type=UNLINK_FROM_APPS"
        let answer = try await world.client().send(.get, "\(Self.kakao)?\(query)", headers: Self.key)
        #expect(answer.status == .ok)
        try await world.domain.notices.drain()
        #expect(try await refresh(tokens) == 401)
        #expect(try await refresh(other) == 201)
        #expect(try await !isGone(account))
        #expect(try await world.signIn(kakao: 1).account == account)
    }

    @Test func kakaoAccountDeletion_withdrawsAccount() async throws {
        let account = try await world.signIn(kakao: 1).account
        var headers = Self.key
        headers[.contentType] = "application/x-www-form-urlencoded"
        let form = "app_id=1&user_id=1&referrer_type=ACCOUNT_DELETE"
        for _ in 0..<2 {
            let answer = try await world.client().send(.post, Self.kakao, json: form, headers: headers)
            #expect(answer.status == .ok)
            try await world.domain.notices.drain()
        }
        #expect(try await isGone(account))
        #expect(try await world.signIn(kakao: 1).account != account)
    }

    @Test(arguments: [App.moup, .anlaka, .withsuhyeon])
    func webhooks_existInEveryApp(_ app: App) async throws {
        let client = try world.client(app)
        let query = "app_id=1&user_id=1&referrer_type=UNLINK_FROM_APPS"
        let path = "/notices/\(app.rawValue)"
        #expect(try await client.send(.get, "\(path)/kakao?\(query)", headers: Self.key).status == .ok)
        #expect(try await client.send(.get, "\(path)/kakao?\(query)").status == .unauthorized)
        var headers = Self.key
        headers[.contentType] = "application/x-www-form-urlencoded"
        #expect(try await client.send(.post, "\(path)/kakao", json: query, headers: headers).status == .ok)
        let payload = try await apple(#""sub":"a.1","type":"consent-revoked""#)
        let answer = try await client.send(.post, "\(path)/apple", json: #"{"payload":"\#(payload)"}"#)
        #expect(answer.status == .ok)
        try await world.domain.notices.drain()
        #expect(try world.domain.notices.spool.waiting().isEmpty)
    }

    @Test func kakaoWebhook_requiresKeyAndUser() async throws {
        let good = "\(Self.kakao)?app_id=1&user_id=1&referrer_type=UNLINK_FROM_APPS"
        for authorization in [nil, "", "KakaoAK", "KakaoAK wrong", "Bearer madang-development-admin-key"] {
            var headers: HTTPFields = [:]
            headers[.authorization] = authorization
            #expect(try await world.client().send(.get, good, headers: headers).status == .unauthorized)
        }
        for query in [
            "", "app_id=2&user_id=1&referrer_type=A", "app_id=1&referrer_type=A",
            "app_id=1&user_id=x&referrer_type=A",
        ] {
            let answer = try await world.client().send(.get, "\(Self.kakao)?\(query)", headers: Self.key)
            #expect(answer.status == .badRequest)
        }
        #expect(try world.domain.notices.spool.waiting().isEmpty)
    }

    @Test func appleWebhook_endsSessionsOrWithdrawsAccount() async throws {
        let revoked = try await signInWithApple("a.1")
        let deleted = try await signInWithApple("a.2")
        let mailed = try await signInWithApple("a.3")
        #expect(try await send(payload: apple(#""sub":"a.1","type":"consent-revoked""#)) == 200)
        #expect(try await send(payload: apple(#""sub":"a.2","type":"account-delete""#)) == 200)
        #expect(try await send(payload: apple(#""sub":"a.3","type":"email-disabled""#)) == 200)
        try await world.domain.notices.drain()
        #expect(try await refresh(revoked) == 401)
        #expect(try await !isGone(revoked.claims.account))
        #expect(try await isGone(deleted.claims.account))
        #expect(try await refresh(mailed) == 201)
    }

    /// A repeated webhook must not end the session of a user who has signed in again.
    @Test func repeatedAppleWebhook_takesEffectOnce() async throws {
        _ = try await signInWithApple("a.1")
        let payload = try await apple(#""sub":"a.1","type":"consent-revoked""#)
        #expect(try await send(payload: payload) == 200)
        try await world.domain.notices.drain()
        let back = try await signInWithApple("a.1")
        #expect(try await send(payload: payload) == 200)
        try await world.domain.notices.drain()
        #expect(try await refresh(back) == 201)
    }

    @Test func forgedAppleWebhook_isIgnored() async throws {
        let tokens = try await signInWithApple("a.1")
        let good = try await apple(#""sub":"a.1","type":"account-delete""#)
        let foreign = try await apple(#""sub":"a.1","type":"account-delete","aud":"other.app""#)
        let parts = good.split(separator: ".")
        let forged = [
            foreign, "\(parts[0]).\(parts[1]).AAAA", "\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))",
        ]
        for payload in forged { #expect(try await send(payload: payload) == 200) }
        for payload in ["", "a.b", String(repeating: "a", count: 9000) + ".b.c"] {
            #expect(try await send(payload: payload) == 400)
        }
        try await world.domain.notices.drain()
        #expect(try world.domain.notices.spool.waiting().isEmpty)
        #expect(try await refresh(tokens) == 201)
    }

    @Test func webhook_duringAppleOutage_isRetried() async throws {
        let tokens = try await signInWithApple("a.1")
        let payload = try await apple(#""sub":"a.1","type":"account-delete""#)
        // This copy of the service has a spool folder of its own and has not fetched Apple's keys yet.
        try await world.sandbox.fail("apple", #""kind":"http","status":503,"count":1"#)
        var notices = world.domain.notices
        notices.spool = WebhookSpool(folder: AuthWorld.temporaryFolder())
        try await notices.receive(ReceivedWebhook(app: .seatcatcher, provider: .apple, fields: ["payload": payload]))
        await #expect(throws: ProviderUnavailable.self) { try await notices.drain() }
        #expect(try await !isGone(tokens.claims.account))
        try await notices.drain()
        #expect(try await isGone(tokens.claims.account))
    }

    @Test func failedWebhook_doesNotBlockOthers() async throws {
        let stuck = try await world.signIn(kakao: 1).account
        let others = [try await world.signIn(kakao: 2).account, try await world.signIn(kakao: 3).account]
        let check = "CHECK (id <> \(stuck) OR withdrawn_at IS NULL)"
        let add = SQL(stringLiteral: "ALTER TABLE accounts ADD CONSTRAINT stuck \(check)")
        try await TestDatabase.current.client.execute(add)
        for user in 1...3 {
            let fields = ["app_id": "1", "user_id": "\(user)", "referrer_type": "ACCOUNT_DELETE"]
            try world.domain.notices.spool.keep(ReceivedWebhook(app: .seatcatcher, provider: .kakao, fields: fields))
        }
        while try world.domain.notices.spool.waiting().count > 1 { try? await world.domain.notices.drain() }
        for account in others { #expect(try await isGone(account)) }
        #expect(try await !isGone(stuck))
    }

    /// Neither a file without a webhook nor one whose writing was interrupted blocks the others.
    @Test func unreadableSpoolFile_doesNotBlockOthers() async throws {
        let (account, _) = try await world.signIn(kakao: 1)
        let spool = world.domain.notices.spool
        try FileManager.default.createDirectory(atPath: spool.folder, withIntermediateDirectories: true)
        #expect(FileManager.default.createFile(atPath: "\(spool.folder)/0", contents: Data("{".utf8)))
        #expect(FileManager.default.createFile(atPath: "\(spool.folder)/.half", contents: Data("{".utf8)))
        let fields = ["app_id": "1", "user_id": "1", "referrer_type": "ACCOUNT_DELETE"]
        try spool.keep(ReceivedWebhook(app: .seatcatcher, provider: .kakao, fields: fields))
        while try !spool.waiting().isEmpty { try await world.domain.notices.drain() }
        #expect(try await isGone(account))
    }
}
