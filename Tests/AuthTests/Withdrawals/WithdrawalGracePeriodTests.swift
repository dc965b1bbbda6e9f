import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

/// Withdrawal in an app with a grace period.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct WithdrawalGracePeriodTests {
    private var world: AuthWorld { .current }
    private var database: PostgresClient { TestDatabase.current.client }

    private func signIn(_ domain: AuthDomain, _ subject: String = "1") async throws -> Accounts.SignedIn {
        try await domain.accounts.signIn(
            as: SocialIdentity(provider: .google, subject: subject),
            app: .moup,
            new: NewAccount(app: .moup, nickname: "하루"),
            device: Device(address: "203.0.113.7", userAgent: "MOUP/1")
        )
    }

    private func makeDue() async throws {
        try await database.execute("UPDATE withdrawals SET due_at = now() WHERE started_at IS NULL")
    }

    private func actions() async throws -> [String] {
        try await database.all("SELECT action FROM audit_log ORDER BY id") { try $0.decode(String.self) }
    }

    @Test func signInDuringGracePeriod_restoresAccount() async throws {
        let domain = world.domain
        let first = try await signIn(domain)
        let leaving = try await domain.withdrawal.request(first.account.id, app: .moup)
        #expect(leaving.dueAt.timeIntervalSince(leaving.requestedAt) == 3 * 86_400)
        await #expect(throws: AccountError.accountLeaving) {
            try await domain.withdrawal.request(first.account.id, app: .moup)
        }
        await #expect(throws: SessionError.accountLeaving) {
            try await domain.sessions.refresh(first.tokens.refreshToken, app: .moup, device: Device())
        }
        #expect(try await domain.withdrawal.beginNext() == false)

        let second = try await signIn(domain)
        #expect(second.account.id == first.account.id)
        #expect(!second.isNew)
        try await makeDue()
        #expect(try await domain.withdrawal.beginNext() == false)
        _ = try await domain.sessions.refresh(second.tokens.refreshToken, app: .moup, device: Device())
        // The sessions from before the withdrawal stay ended.
        await #expect(throws: SessionError.accountLeaving) {
            try await domain.sessions.refresh(first.tokens.refreshToken, app: .moup, device: Device())
        }
        #expect(try await actions() == ["registered", "signed_in", "leaving", "stayed", "signed_in"])
    }

    @Test func gracePeriodEnd_withdrawsAccount() async throws {
        let domain = world.domain
        let first = try await signIn(domain)
        try await domain.withdrawal.request(first.account.id, app: .moup)
        try await makeDue()
        #expect(try await domain.withdrawal.beginNext())
        #expect(try await domain.withdrawal.beginNext() == false)
        await #expect(throws: SessionError.accountGone) {
            try await domain.sessions.refresh(first.tokens.refreshToken, app: .moup, device: Device())
        }
        await #expect(throws: AccountError.accountGone) {
            try await domain.withdrawal.request(first.account.id, app: .moup)
        }
        let second = try await signIn(domain)
        #expect(second.account.id != first.account.id)
        #expect(second.isNew)
    }

    /// Gateways pass the cause on to clients: first `leaving`, which a sign-in reverts, then `withdrawn`.
    @Test func revocations_stateCause() async throws {
        let domain = world.domain
        let first = try await signIn(domain)
        try await domain.withdrawal.request(first.account.id, app: .moup)
        let leaving = try await domain.revocations.revocations(after: 0, wait: .zero)
        #expect(leaving.revocations.map(\.cause) == [.leaving])
        try await makeDue()
        #expect(try await domain.withdrawal.beginNext())
        let withdrawn = try await domain.revocations.revocations(after: leaving.last, wait: .zero)
        #expect(withdrawn.revocations.map(\.cause) == [.withdrawn])
        #expect(withdrawn.revocations.map(\.session) == [first.session])
    }

    /// The sign-in either restores the account or creates a new one; it never uses an account that is being withdrawn.
    @Test func signInAtGracePeriodEnd_restoresOrCreatesAccount() async throws {
        let domain = world.domain
        for round in 0..<20 {
            let subject = "\(round)"
            let first = try await signIn(domain, subject)
            try await domain.withdrawal.request(first.account.id, app: .moup)
            try await makeDue()
            async let begun = domain.withdrawal.beginNext()
            let second = try await signIn(domain, subject)
            _ = try await begun
            let isGone = try await database.one(
                "SELECT withdrawn_at IS NOT NULL FROM accounts WHERE id = \(first.account.id)"
            ) { try $0.decode(Bool.self) }
            #expect((second.account.id == first.account.id) == !isGone)
            _ = try await domain.sessions.refresh(second.tokens.refreshToken, app: .moup, device: Device())
        }
    }

    @Test func failedWithdrawal_doesNotBlockOthers() async throws {
        let domain = world.domain
        let (stuck, other) = (try await signIn(domain, "1"), try await signIn(domain, "2"))
        for account in [stuck.account.id, other.account.id] { try await domain.withdrawal.request(account, app: .moup) }
        try await makeDue()
        let check = "CHECK (id <> \(stuck.account.id) OR withdrawn_at IS NULL)"
        try await database.execute(SQL(stringLiteral: "ALTER TABLE accounts ADD CONSTRAINT stuck \(check)"))
        await #expect(throws: PostgresError.self) { try await domain.withdrawal.beginNext() }
        #expect(try await domain.withdrawal.beginNext())
        #expect(try await domain.withdrawal.beginNext() == false)
        let gone = try await database.all("SELECT id FROM accounts WHERE withdrawn_at IS NOT NULL") {
            try $0.decode(AccountID.self)
        }
        #expect(gone == [other.account.id])
    }

    /// A reuse locks the session first and a withdrawal the account first; they must not deadlock.
    @Test func concurrentReuseAndWithdrawal_doNotDeadlock() async throws {
        let domain = world.domain
        for round in 0..<20 {
            let first = try await signIn(domain, "\(round)")
            var tokens = first.tokens
            for _ in 0..<2 {
                tokens = try await domain.sessions.refresh(tokens.refreshToken, app: .moup, device: Device()).pair
            }
            async let leaving = domain.withdrawal.request(first.account.id, app: .moup)
            await #expect(throws: SessionError.self) {
                try await domain.sessions.refresh(first.tokens.refreshToken, app: .moup, device: Device())
            }
            _ = try await leaving
        }
    }

    @Test func concurrentWithdrawals_oneSucceeds() async throws {
        let domain = world.domain
        let first = try await signIn(domain)
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10 {
                group.addTask { (try? await domain.withdrawal.request(first.account.id, app: .moup)) != nil }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
    }
}

/// Withdrawal from Anlaka, whose app does not call the route.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct AnlakaWithdrawalTests {
    private var world: AuthWorld { .current }

    @Test func withdrawal_deletesAccountAndReleasesEmail() async throws {
        let member = try await world.anlakaMember("a@b.kr")
        #expect(try await member.phone.send(.delete, "/v1/users/me").status == .ok)
        #expect(try await member.phone.send(.delete, "/v1/users/me").status.code == 401)
        let login = #"{"email":"a@b.kr","password":"abcd123!"}"#
        #expect(try await world.anlaka.send(.post, "/v1/users/login", json: login).status == .unauthorized)
        #expect(try await world.anlakaMember("a@b.kr").account != member.account)
    }
}
