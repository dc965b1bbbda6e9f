import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct WithdrawalTests {
    private var world: CommunityWorld { .current }

    @Test(.anlaka) func withdrawal_deletesLikesAndAnonymizesPosts() async throws {
        let files = try await world.upload(1, [Picture.jpeg(), Picture.jpeg(size: 700)])
        let (own, other) = (try await world.post(files: [files[0]], by: 1), try await world.post(by: 9))
        for id in [own, other] {
            for account in [1, 2] as [AccountID] { try await world.like(id, by: account) }
        }
        let comment = try await world.comment("가", on: other, by: 1)
        _ = try await world.comment("나", on: other, by: 2, answering: comment)
        let reported = try await world.post(by: 2)
        #expect(try await world.report(reported, by: 1) == 200)
        for _ in 0..<2 {
            let event = AuthEvents.AccountWithdrawn(account: 1, app: .anlaka)
            #expect(try await world.deliver(event, from: .auth) == 204)
        }
        #expect(try await world.miscounted() == 0)
        #expect(try await world.count("likes") == 2)
        #expect(try await world.count("reports") == 0)
        let left = try #require(try await world.show(own, by: 2))
        #expect(left.creator.nick == "탈퇴한 사용자" && left.likeCount == 1 && left.files == [files[0]])
        let talk = try #require(try await world.show(other, by: 2)?.comments)
        #expect(talk.map(\.creator.nick) == ["탈퇴한 사용자"] && talk[0].replies?.map(\.content) == ["나"])
        #expect(try await world.client(2).send(.get, "/v1\(files[0])").status == .ok)
        // A withdrawn user can create nothing.
        #expect(try await world.publish(CommunityWorld.post(), by: 1).status == .unauthorized)
        #expect(try await world.like(other, by: 1) == 401)
        #expect(try await world.say("가", on: other, by: 1).status == .unauthorized)
        #expect(try await world.report(other, by: 1) == 401)
    }

    /// A withdrawal removes all likes of the user, also while others like the same posts.
    @Test func concurrentLikesAndWithdrawals_keepCountConsistent() async throws {
        let people = Dictionary(uniqueKeysWithValues: (AccountID(1001)...1020).map { ($0, "사람\($0)") })
        try await CommunityWorld.test(.anlaka, people: people) { (world) async throws in
            var posts: [String] = []
            for _ in 0..<4 { posts.append(try await world.post(by: 1001)) }
            let ids = posts
            for account in AccountID(1001)...1010 { for id in ids { try await world.like(id, by: account) } }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in AccountID(1001)...1020 {
                    for id in account.rawValue % 2 == 0 ? ids : ids.reversed() {
                        group.addTask {
                            let code = try await world.like(id, by: account, account > 1010)
                            #expect([200, 401].contains(code))
                        }
                    }
                }
                for account in AccountID(1002)...1008 {
                    group.addTask {
                        let event = AuthEvents.AccountWithdrawn(account: account, app: .anlaka)
                        let code = try await world.deliver(event, from: .auth)
                        #expect(code == 204)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await world.miscounted() == 0)
            #expect(try await world.count("likes") == 40)
        }
    }
}
