import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import Profiles
import TestKit
import Testing

@testable import Estate

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct LikeTests {
    private var world: EstateWorld { .current }

    @Test(.service) func like_isIdempotent() async throws {
        let id = try await world.list()
        let before = try await world.client(1).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
        for (status, count) in [(true, 1), (true, 1), (false, 0), (false, 0), (true, 1)] {
            let answer = try await world.client(1).send(
                .post,
                "/v1/estates/\(id)/like?estate_id=\(id)",
                json: #"{"like_status":\#(status)}"#
            )
            #expect(answer.status == .ok)
            #expect(answer.text == #"{"like_status":\#(status)}"#)
            let shown = try await world.client(1).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
            #expect(shown.isLiked == status && shown.likeCount == count)
            #expect(shown.updatedAt == before.updatedAt)
        }
        let others = try await world.client(2).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
        #expect(others.isLiked == false && others.likeCount == 1)
    }

    @Test(.service(at: "2025-11-20T03:00:00Z")) func repeatedLike_keepsItsPosition() async throws {
        let (first, second) = (try await world.list(), try await world.list())
        for id in [first, second, first] {
            try await world.like(id, by: 1)
            world.clock.advance(by: 1)
        }
        let list = try await world.estates("likes/me", by: 1)
        #expect(list.data.map(\.estateID) == [second, first])
    }

    @Test(.service) func invalidLike_isRefused() async throws {
        let id = try await world.list()
        for body in ["", "{}", #"{"like_status":1}"#, #"{"like_status":null}"#, #"{"like_status":"true"}"#, "[]"] {
            let answer = try await world.client(1).send(.post, "/v1/estates/\(id)/like", json: body)
            #expect(answer.status == .badRequest, "\(body)")
            #expect(try answer.keys() == ["message"])
        }
        for gone in ["aaaaaaaaaaaaaaaaaaaaaaaa", "1", "%00", id.uppercased() + "x"] {
            for status in [true, false] { #expect(try await world.like(gone, by: 1, status) == 404, "\(gone)") }
        }
        #expect(try await world.count("likes") == 0)
    }

    /// Many users change their likes concurrently, in any order.
    @Test func concurrentLikes_keepCountConsistent() async throws {
        let people = Dictionary(uniqueKeysWithValues: (AccountID(1)...12).map { ($0, "사람\($0)") })
        try await EstateWorld.test(people: people) { (world) async throws in
            let ids = [try await world.list(1), try await world.list(2)]
            let codes = try await withThrowingTaskGroup(of: Int.self) { group in
                for round in 0..<6 {
                    for account in 1...12 {
                        group.addTask {
                            let status = (round + account).isMultiple(of: 2)
                            return try await world.like(ids[round % 2], by: AccountID(rawValue: Int64(account)), status)
                        }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count == 72 && Set(codes) == [200])
            #expect(try await world.miscounted() == 0)
            // Repeated likes of a user count once.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in 1...12 {
                    for _ in 0..<3 {
                        group.addTask { try await world.like(ids[0], by: AccountID(rawValue: Int64(account))) }
                    }
                }
                try await group.waitForAll()
            }
            let shown = try await world.client(1).send(.get, "/v1/estates/\(ids[0])").json(EstateAnswer.self)
            #expect(shown.likeCount == 12)
            #expect(try await world.miscounted() == 0)
        }
    }

    /// Likes that wait for a listing which is being deleted leave connections for others; those of one that is being
    /// changed do not wait.
    @Test(.service) func lockedListing_doesNotDelayOthers() async throws {
        let (deleted, changed, other) = (try await world.list(), try await world.list(), try await world.list())
        let waiting = try await world.database.transaction { transaction in
            try await transaction.execute("SELECT FROM listings WHERE public_id = \(deleted) FOR UPDATE")
            try await transaction.execute("SELECT FROM listings WHERE public_id = \(changed) FOR NO KEY UPDATE")
            let waiting = (0..<12).map { number in Task { try await world.like(deleted, by: [1, 2][number % 2]) } }
            try await transaction.waitUntilBlocking(world.database.configuration.leasedConnections / 2)
            for id in [changed, other] { #expect(try await world.like(id, by: 1) == 200) }
            return waiting
        }
        for like in waiting { #expect(try await like.value == 200) }
        for (id, count) in [(deleted, 2), (changed, 1), (other, 1)] {
            let shown = try await world.client(1).send(.get, "/v1/estates/\(id)").json(EstateAnswer.self)
            #expect(shown.likeCount == count)
        }
        try await LikeCounts.listings.addUp(olderThan: 0, in: world.database)
        let stored = try await world.database.all("SELECT like_count FROM listings ORDER BY id") {
            try $0.decode(Int.self)
        }
        #expect(stored == [2, 1, 1])
        #expect(try await world.miscounted() == 0)
    }

    /// A like after the deletion gets 404, and leaves no row.
    @Test(.service) func concurrentLikesAndDeletion_leaveNoRows() async throws {
        for _ in 0..<8 {
            let id = try await world.list()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for account in [1, 2, 9] as [AccountID] {
                    for status in [true, false, true] {
                        group.addTask {
                            let code = try await world.like(id, by: account, status)
                            #expect([200, 404].contains(code))
                        }
                    }
                }
                group.addTask { try await world.database.execute("DELETE FROM listings WHERE public_id = \(id)") }
                try await group.waitForAll()
            }
            #expect(try await world.like(id, by: 1) == 404)
        }
        #expect(try await world.count("likes") == 0)
    }
}
