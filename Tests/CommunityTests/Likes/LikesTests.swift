import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct LikesTests {
    private var world: CommunityWorld { .current }

    @Test(.anlaka) func like_isIdempotent() async throws {
        let id = try await world.post()
        let before = try await world.show(id)
        for (status, count) in [(true, 1), (true, 1), (false, 0), (false, 0), (true, 1)] {
            let json = #"{"like_status":\#(status)}"#
            let answer = try await world.client(2).send(.post, "/v1/posts/\(id)/like", json: json)
            #expect(answer.status == .ok && answer.text == json)
            let shown = try await world.show(id, by: 2)
            #expect(shown?.isLiked == status && shown?.likeCount == count && shown?.updatedAt == before?.updatedAt)
        }
        #expect(try await world.show(id)?.isLiked == false)
        for body in ["", "{}", #"{"like_status":1}"#, #"{"like_status":null}"#] {
            let answer = try await world.client(2).send(.post, "/v1/posts/\(id)/like", json: body)
            #expect(answer.status == .badRequest, "\(body)")
        }
        for gone in ["bbbbbbbbbbbbbbbbbbbbbbbb", "1", "%00"] {
            #expect(try await world.like(gone, by: 1) == 404)
            #expect(try await world.like(gone, by: 1, false) == 404)
        }
    }

    /// Likes of the second kind are not counted.
    @Test(.anlaka) func likeKinds_areCountedSeparately() async throws {
        let id = try await world.post()
        let likes = Likes(database: world.database, people: world.people, now: { .now })
        try await likes.set(true, "\(id)", kind: 2, in: .anlaka, by: 2)
        #expect(try await world.show(id, by: 2)?.isLiked == false)
        #expect(try await world.miscounted() == 0)
        #expect(try await world.count("likes") == 1)
        try await likes.set(true, "\(id)", in: .anlaka, by: 2)
        try await likes.set(false, "\(id)", kind: 2, in: .anlaka, by: 2)
        #expect(try await world.show(id, by: 2)?.likeCount == 1)
        #expect(try await world.miscounted() == 0)
        #expect(try await world.count("likes") == 1)
        await #expect(throws: CommunityError.postNotFound) { try await likes.set(true, "\(id)", in: .culture, by: 2) }
    }

    @Test func concurrentLikes_keepCountConsistent() async throws {
        let people = Dictionary(uniqueKeysWithValues: (AccountID(1001)...1200).map { ($0, "사람\($0)") })
        try await CommunityWorld.test(.anlaka, people: people) { (world) async throws in
            let ids = [try await world.post(by: 1001), try await world.post(by: 1001)]
            // Every user changes their like twice, in any order.
            let codes = try await withThrowingTaskGroup(of: Int.self) { group in
                for round in 0..<3 {
                    for account in 1001...1200 {
                        group.addTask {
                            let status = (round + account).isMultiple(of: 2)
                            return try await world.like(
                                ids[account % 2],
                                by: AccountID(rawValue: Int64(account)),
                                status
                            )
                        }
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(codes == [200])
            #expect(try await world.miscounted() == 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in 1001...1200 {
                    for _ in 0..<2 {
                        group.addTask { try await world.like(ids[0], by: AccountID(rawValue: Int64(account))) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await world.show(ids[0], by: 1001)?.likeCount == 200)
            #expect(try await world.miscounted() == 0)
        }
    }

    /// Likes that wait for one post delay neither reads nor the likes of another one.
    @Test(.anlaka) func lockedPost_doesNotDelayOthers() async throws {
        let (locked, other) = (try await world.post(), try await world.post())
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM posts WHERE public_id = \(locked) FOR UPDATE")
            let waiting = (0..<12).map { number in
                Task { try await world.like(locked, by: [1, 2, 9][number % 3]) }
            }
            try await transaction.waitUntilBlocking()
            #expect(try await world.show(other, by: 1)?.likeCount == 0)
            #expect(try await world.like(other, by: 2) == 200)
            return waiting
        }
        for like in waiting { #expect(try await like.value == 200) }
        #expect(try await world.show(locked, by: 1)?.likeCount == 3)
    }

    /// A call after the deletion gets 404, and leaves no row.
    @Test(.anlaka) func concurrentLikesAndDeletion_leaveNoRows() async throws {
        for _ in 0..<8 {
            let id = try await world.post()
            _ = try await world.like(id, by: 2)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in [1, 2, 9] as [AccountID] {
                    for status in [true, false, true] {
                        group.addTask {
                            let code = try await world.like(id, by: account, status)
                            #expect([200, 404].contains(code))
                        }
                    }
                    group.addTask {
                        let code = try await world.say("가", on: id, by: account).status.code
                        #expect([200, 404].contains(code))
                    }
                }
                group.addTask {
                    let status = try await world.client(1).send(.delete, "/v1/posts/\(id)").status
                    #expect(status == .ok)
                }
                try await group.waitForAll()
            }
            #expect(try await world.like(id, by: 1) == 404)
        }
        #expect(try await world.count("likes") == 0)
        #expect(try await world.count("comments") == 0)
    }
}
