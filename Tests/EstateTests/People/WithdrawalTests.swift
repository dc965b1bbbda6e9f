import Contracts
import Events
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Estate

/// The rows that remain after a withdrawal.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct WithdrawalTests {
    private var world: EstateWorld { .current }

    private func withdraw(_ account: AccountID, app: App = .anlaka) async throws {
        let event = AuthEvents.AccountWithdrawn(account: account, app: app)
        #expect(try await world.deliver(event, from: .auth) == 204)
    }

    private func erased() async throws -> [AccountID] {
        try await TestDatabase.current.client.all(
            "SELECT body FROM outbox WHERE name = \(EstateEvents.AccountErased.name) ORDER BY id"
        ) { try $0.decode(PostgresJSON<EstateEvents.AccountErased>.self).value.account }
    }

    private func reserve(_ listing: String, by account: AccountID, _ order: String) async throws {
        let event = PaymentsEvents.ReservationChanged(
            listing: "\(listing)",
            account: account,
            order: order,
            state: .paid
        )
        #expect(try await world.deliver(event, from: .payments) == 204)
    }

    @Test func withdrawal_deletesLikesCommentsAndListings() async throws {
        let (own, other) = (try await world.list(1), try await world.list(9))
        for listing in [own, other] {
            for account in [1, 2] as [AccountID] { try await world.like(listing, by: account) }
        }
        let theirs = try await world.comment("가", on: other, by: 1)
        let others = try await world.comment("나", on: other, by: 2)
        _ = try await world.comment("다", on: other, by: 2, answering: theirs)
        _ = try await world.comment("라", on: other, by: 1, answering: others)
        _ = try await world.comment("마", on: other, by: 9, answering: others)
        _ = try await world.comment("바", on: own, by: 2)
        for _ in 0..<2 { try await withdraw(1) }

        #expect(try await world.client(2).send(.get, "/v1/estates/\(own)").status == .notFound)
        let left = try await world.client(2).send(.get, "/v1/estates/\(other)").json(EstateAnswer.self)
        #expect(left.likeCount == 1 && left.isLiked == true)
        #expect(try await world.miscounted() == 0)
        #expect(try await world.count("likes") == 1)
        let comments = try await world.comments(on: other, by: 2).data
        #expect(comments.map(\.content) == ["나"])
        #expect(comments[0].replies?.map(\.content) == ["마"])
        #expect(try await world.count("comments") == 2)
        #expect(try await erased() == [1, 1])
    }

    @Test func paidListing_afterOwnersWithdrawal_staysAnonymous() async throws {
        let (paid, held, own) = (try await world.list(1), try await world.list(1), try await world.list(1))
        try await reserve(paid, by: 2, "AAAA000001")
        let hold = PaymentsEvents.ReservationChanged(
            listing: "\(held)",
            account: 2,
            order: "AAAA000002",
            state: .held(until: .now + 600)
        )
        #expect(try await world.deliver(hold, from: .payments) == 204)
        _ = try await world.comment("몇 시에 볼까요?", on: paid, by: 2)
        try await withdraw(1)
        let seen = try await world.client(2).send(.get, "/v1/estates/\(paid)").json(EstateAnswer.self)
        #expect(seen.isReserved == true)
        #expect(seen.creator == .init(userID: EstateWorld.publicID(1), nick: "탈퇴한 사용자"))
        #expect(try await world.comments(on: paid, by: 2).data.count == 1)
        for gone in [held, own] {
            #expect(try await world.client(2).send(.get, "/v1/estates/\(gone)").status == .notFound)
        }
    }

    @Test func withdrawnUser_afterLateEvents_staysAnonymous() async throws {
        let listing = try await world.list()
        // The service has not seen the last three accounts before.
        for account in [1, 77, 0x7, 0xf7] as [AccountID] { try await withdraw(account) }
        let event = AuthEvents.ProfileChanged(
            account: 1,
            app: .anlaka,
            nickname: "하루",
            image: "/data/profiles/1.jpg",
            tags: nil,
            publicID: "\(EstateWorld.publicID(1))"
        )
        #expect(try await world.deliver(event, from: .auth) == 204)
        let registered = AuthEvents.AccountRegistered(
            account: 77,
            app: .anlaka,
            nickname: "늦음",
            image: nil,
            publicID: "\(EstateWorld.publicID(77))"
        )
        #expect(try await world.deliver(registered, from: .auth) == 204)
        let people = try await world.database.all(
            "SELECT account_id, nickname, image FROM people WHERE withdrawn_at IS NOT NULL ORDER BY account_id"
        ) {
            let (account, nickname, image) = try $0.decode(as: (Int64, String, String?).self)
            return "\(account) '\(nickname)' \(image ?? "-")"
        }
        #expect(people == ["1 '' -", "7 '' -", "77 '' -", "247 '' -"])
        #expect(try await erased() == [1, 77, 7, 247])
        for account in [1, 77] as [AccountID] {
            #expect(try await world.like(listing, by: account) == 401)
            #expect(try await world.say("가", on: listing, by: account).status == .unauthorized)
            let made = try await world.client(account).send(.post, "/v1/estates", json: EstateBody().text)
            #expect(made.status == .unauthorized)
        }
    }

    @Test func withdrawal_fromOtherApp_isIgnored() async throws {
        let listing = try await world.list(1)
        try await withdraw(1, app: .culture)
        #expect(try await erased() == [])
        #expect(try await world.client(1).send(.get, "/v1/estates/\(listing)").status == .ok)
    }

    /// A call concurrent with the withdrawal either precedes it, and its rows are deleted, or fails.
    @Test func concurrentWithdrawalAndWrites_leaveNoRows() async throws {
        let listing = try await world.list()
        let reserved = try await world.list(1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let code = try await world.like(listing, by: 1)
                    #expect([200, 401].contains(code))
                }
                group.addTask {
                    let code = try await world.say("\(number)", on: listing, by: 1).status.code
                    #expect([200, 401].contains(code))
                }
                group.addTask {
                    let made = try await world.client(1).send(.post, "/v1/estates", json: EstateBody().text)
                    #expect([200, 401, 404].contains(made.status.code), "\(made.text)")
                }
                group.addTask {
                    let code = try await world.like(listing, by: 2)
                    #expect(code == 200)
                }
                group.addTask {
                    let code = try await world.like(reserved, by: 2, number.isMultiple(of: 2))
                    #expect([200, 404].contains(code))
                }
            }
            group.addTask { try await reserve(reserved, by: 2, "AAAA000001") }
            group.addTask { try await withdraw(1) }
            try await group.waitForAll()
        }
        let left = try await world.database.one(
            """
            SELECT (SELECT count(*) FROM likes WHERE account_id = 1)
                + (SELECT count(*) FROM comments WHERE author_id = 1)
                + (SELECT count(*) FROM listings l WHERE creator_id = 1
                    AND NOT EXISTS (SELECT FROM reservations r WHERE r.listing_id = l.id))
            """
        ) { try $0.decode(Int.self) }
        #expect(left == 0)
        #expect(try await world.miscounted() == 0)
    }
}
