import Authentication
import Contracts
import Events
import FoundationEssentials
import Postgres
import ServiceKit
import TestKit
import Testing

@testable import Auth

/// The events about sessions that end early.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct SessionRevocationTests {
    private struct World {
        var accounts: Accounts
        var sessions: Sessions
        var withdrawal: Withdrawal

        init() async throws {
            let configuration = AuthConfiguration(database: TestDatabase.current.configuration)
            let database = TestDatabase.current.client
            let ring = KeyRing(configuration, database: database, logger: .quiet)
            try await ring.refresh()
            let listener = InternalClient(to: .seats, at: ["http://127.0.0.1:1"], keys: .development(.auth))
            let events: [any Event.Type] = [AuthEvents.SessionRevoked.self, AuthEvents.AccountWithdrawn.self]
            let outbox = Outbox(subscribers: [Subscriber(.seats, to: events, client: listener)])
            let mint = TokenIssuer(ring: ring, lifetimes: configuration.lifetimes)
            let allowances = RateLimiter(database: database, secret: "s", limits: configuration.limits)
            sessions = Sessions(
                database: database,
                mint: mint,
                allowances: allowances,
                outbox: outbox,
                now: configuration.now
            )
            accounts = Accounts(
                database: database,
                links: SocialLinkStore(seal: KeyEncryption(secret: "s", purpose: "tokens of providers")),
                sessions: sessions,
                hasher: PasswordHasher(cost: .least, threads: 1, queueLimit: 1),
                allowances: allowances,
                outbox: outbox
            )
            withdrawal = Withdrawal(
                database: database,
                sessions: sessions,
                outbox: outbox,
                grace: configuration.leavingTime
            )
        }

        func signIn() async throws -> TokenPair {
            try await accounts.signIn(
                as: SocialIdentity(provider: .kakao, subject: "1"),
                app: .seatcatcher,
                new: NewAccount(app: .seatcatcher, nickname: "a"),
                device: Device(pushToken: "p", address: "203.0.113.7", userAgent: "u")
            ).tokens
        }

        func refresh(_ tokens: TokenPair) async throws -> TokenPair {
            try await sessions.refresh(tokens.refreshToken, app: .seatcatcher, device: Device()).pair
        }

        /// The published events: name, session, whether the key is the account, and app.
        func announced() async throws -> [String] {
            try await TestDatabase.current.client.all(
                """
                SELECT name || ' ' || coalesce(body ->> 'session', '') || ' ' || (body ->> 'account' = key)
                       || ' ' || (body ->> 'app') FROM outbox ORDER BY id
                """
            ) { try $0.decode(String.self) }
        }
    }

    private func revoked(_ tokens: TokenPair) throws -> String {
        "auth.session-revoked \(try tokens.claims.session) true seatcatcher"
    }

    @Test func reuse_publishesRevocationOnce() async throws {
        let world = try await World()
        let first = try await world.signIn()
        let other = try await world.signIn()
        let third = try await world.refresh(world.refresh(first))
        #expect(try await world.announced() == [])
        let now = Date.now.timeIntervalSince1970
        let error = try await #require(throws: SessionError.self) { try await world.refresh(first) }
        let revocation = try #require(error.revocation)
        #expect(revocation.session == (try first.claims.session) && revocation.cause == .ended)
        #expect(Double(revocation.until) > now)
        for stolen in [first, third] {
            await #expect(throws: SessionError.sessionEnded) { try await world.refresh(stolen) }
        }
        #expect(try await world.announced() == [revoked(first)])
        _ = try await world.refresh(other)
    }

    @Test func withdrawal_publishesRevocationOfEverySession() async throws {
        let world = try await World()
        let stolen = try await world.signIn()
        _ = try await world.refresh(world.refresh(stolen))
        await #expect(throws: SessionError.self) { try await world.refresh(stolen) }
        let sessions = [try await world.signIn(), try await world.signIn()]
        try await world.withdrawal.request(stolen.claims.account, app: .seatcatcher)

        let announced = try await world.announced()
        #expect(announced.first == (try revoked(stolen)))
        #expect(Set(announced.dropFirst().prefix(2)) == Set(try sessions.map(revoked)))
        #expect(announced.dropFirst(3) == ["auth.account-withdrawn  true seatcatcher"])
    }

    @Test func withdrawalInOtherApp_isRefused() async throws {
        let world = try await World()
        let tokens = try await world.signIn()
        await #expect(throws: AccountError.accountGone) {
            try await world.withdrawal.request(tokens.claims.account, app: .anlaka)
        }
        _ = try await world.refresh(tokens)
    }
}
