import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Auth

/// The steps after a withdrawal: every service and provider erases the account's data, despite failures.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct WithdrawalStepsTests {
    private var world: AuthWorld { .current }
    private static let unlink = "POST /v1/user/unlink"

    private var database: PostgresClient { TestDatabase.current.client }

    private func isFinished(_ account: AccountID) async throws -> Bool {
        try await database.one("SELECT finished_at IS NOT NULL FROM withdrawals WHERE account_id = \(account)") {
            try $0.decode(Bool.self)
        }
    }

    private func waiting() async throws -> [String] {
        try await database.all("SELECT holder FROM withdrawal_steps WHERE done_at IS NULL ORDER BY holder") {
            try $0.decode(String.self)
        }
    }

    private func makeDue() async throws {
        try await database.execute("UPDATE withdrawal_steps SET next_at = now() WHERE done_at IS NULL")
    }

    private func notificationsErased(_ account: AccountID) async throws {
        let erased = NotificationsEvents.AccountErased(account: account)
        #expect(try await world.deliver(erased, from: .notifications) == 204)
    }

    private func takeAll() async throws {
        while try await world.domain.steps.takeNext() {}
    }

    @Test func withdrawal_finishesAfterEveryErasure() async throws {
        let account = try await world.signIn(kakao: 1).account
        #expect(try await world.client(account: account).send(.delete, "/user/me").status == .noContent)
        try await takeAll()
        #expect(try await world.sandbox.requests(to: "kakao").filter { $0 == Self.unlink }.count == 1)
        #expect(try await waiting() == ["notifications", "seats"])
        #expect(try await !isFinished(account))
        for _ in 0..<2 {
            let status = try await world.deliver(SeatsEvents.AccountErased(account: account), from: .seats)
            #expect(status == 204)
        }
        #expect(try await waiting() == ["notifications"])
        #expect(try await !isFinished(account))
        try await notificationsErased(account)
        #expect(try await isFinished(account))
        let traces = try await database.one(
            "SELECT count(*) FROM withdrawal_steps WHERE token IS NOT NULL OR subject <> ''"
        ) { try $0.decode(Int.self) }
        #expect(traces == 0)
    }

    @Test func concurrentLastErasures_finishWithdrawal() async throws {
        let account = try await world.signIn(kakao: 1).account
        #expect(try await world.client(account: account).send(.delete, "/user/me").status == .noContent)
        try await takeAll()
        let (database, steps) = (database, world.domain.steps)
        let second = try await database.transaction { first in
            try await steps.finish(.seats, of: account, in: first)
            let second = Task {
                try await database.transaction { try await steps.finish(.notifications, of: account, in: $0) }
            }
            try await first.waitUntilBlocking()
            return second
        }
        try await second.value
        #expect(try await isFinished(account))
    }

    @Test func moupWithdrawal_waitsForWorkforce() async throws {
        let account = try await world.moup(google: "7").tokens.claims.account
        try await world.domain.withdrawal.request(account, app: .moup)
        try await world.domain.withdrawal.completeAll(app: .moup, origin: Origin())
        try await takeAll()
        #expect(try await waiting() == ["notifications", "workforce"])
        #expect(try await world.deliver(SeatsEvents.AccountErased(account: account), from: .seats) == 204)
        #expect(try await waiting() == ["notifications", "workforce"])
        for _ in 0..<2 {
            let erased = WorkforceEvents.AccountErased(account: account)
            #expect(try await world.deliver(erased, from: .seats) == 403)
            #expect(try await world.deliver(erased, from: .workforce) == 204)
        }
        try await notificationsErased(account)
        #expect(try await isFinished(account))
    }

    @Test func erasureWithoutWithdrawal_isIgnored() async throws {
        let account = try await world.signIn(kakao: 1).account
        #expect(try await world.deliver(SeatsEvents.AccountErased(account: account), from: .seats) == 204)
        #expect(try await world.deliver(SeatsEvents.AccountErased(account: 999), from: .seats) == 204)
        #expect(try await world.deliver(SeatsEvents.AccountErased(account: account), from: .workforce) == 403)
    }

    @Test func unavailableProvider_isRetriedLater() async throws {
        let account = try await world.signIn(kakao: 1).account
        try await world.sandbox.fail("kakao", #""kind":"http","status":503,"count":2"#)
        #expect(try await world.client(account: account).send(.delete, "/user/me").status == .noContent)
        for _ in 0..<2 {
            try await takeAll()
            #expect(try await waiting() == ["kakao", "notifications", "seats"])
            // The retry is not due yet.
            #expect(try await !world.domain.steps.takeNext())
            try await makeDue()
        }
        try await takeAll()
        #expect(try await waiting() == ["notifications", "seats"])
    }

    /// In development all apps share one Kakao app.
    @Test func linkUsedByOtherApp_isKept() async throws {
        let account = try await world.signIn(kakao: 1).account
        _ = try await world.domain.accounts.signIn(
            as: SocialIdentity(provider: .kakao, subject: "1"),
            app: .anlaka,
            new: NewAccount(app: .anlaka, nickname: "하루"),
            device: Device()
        )
        #expect(try await world.client(account: account).send(.delete, "/user/me").status == .noContent)
        try await takeAll()
        #expect(try await waiting() == ["notifications", "seats"])
        #expect(try await world.sandbox.requests(to: "kakao").filter { $0 == Self.unlink }.isEmpty)
    }

    /// The process dies after it has taken a step and after the provider has executed it.
    @Test func interruptedStep_isRepeated() async throws {
        let account = try await world.signIn(kakao: 1).account
        #expect(try await world.client(account: account).send(.delete, "/user/me").status == .noContent)
        while try await WithdrawalStore().takeNext(in: database) != nil {}
        try await world.domain.kakao.unlink(subject: "1")
        #expect(try await waiting() == ["kakao", "notifications", "seats"])
        try await makeDue()
        try await takeAll()
        #expect(try await waiting() == ["notifications", "seats"])
    }

    @Test func unconfirmedErasure_isRequestedAgain() async throws {
        let account = try await world.signIn(kakao: 1).account
        #expect(try await world.client(account: account).send(.delete, "/user/me").status == .noContent)
        try await makeDue()
        try await takeAll()
        let published = try await database.one(
            "SELECT count(*) FROM outbox WHERE name = 'auth.account-withdrawn' AND key = \(String(account))"
        ) { try $0.decode(Int.self) }
        // The event was published at the withdrawal and again for each of the two services that have not confirmed.
        #expect(published == 3)
    }

    @Test func concurrentCopies_takeEachStepOnce() async throws {
        for id in 1...10 {
            let account = try await world.signIn(kakao: id).account
            #expect(try await world.client(account: account).send(.delete, "/user/me").status == .noContent)
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try? await takeAll() } }
        }
        #expect(try await world.sandbox.requests(to: "kakao").filter { $0 == Self.unlink }.count == 10)
    }
}
