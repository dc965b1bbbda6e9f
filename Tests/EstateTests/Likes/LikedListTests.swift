import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import ServiceKit
import TestKit
import Testing
import Values

@testable import Estate

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct LikedListTests {
    private var world: EstateWorld { .current }

    @Test(.service) func pages_duringLikesAndUnlikes_stayStable() async throws {
        var ids: [String] = []
        for _ in 0..<12 { ids.append(try await world.list()) }
        for id in ids { try await world.like(id, by: 1) }
        // All likes have the same time: their ids determine the order.
        try await world.database.execute("UPDATE likes SET created_at = '2025-11-20T03:00:00.123Z'")
        try await world.like(ids[0], by: 2)

        let first = try await world.estates("likes/me?limit=5", by: 1)
        #expect(first.data.map(\.estateID) == ids[7...].reversed())
        let next = try #require(first.nextCursor)
        try await world.like(try await world.list(), by: 1)
        try await world.like(ids[7], by: 1, false)
        let second = try await world.estates("likes/me?limit=5&next=\(next)", by: 1)
        #expect(second.data.map(\.estateID) == ids[2..<7].reversed())
        let end = try await world.estates("likes/me?limit=5&next=\(try #require(second.nextCursor))", by: 1)
        #expect(end.data.map(\.estateID) == [ids[1], ids[0]])
        #expect(end.nextCursor == "0")
        #expect(try await world.estates("likes/me?next=0", by: 1) == .init(data: [], nextCursor: "0"))
        #expect(try await world.estates("likes/me", by: 9) == .init(data: [], nextCursor: "0"))
        #expect(try await world.estates("likes/me?limit=&next=", by: 1).data.count == 5)
    }

    @Test(.service) func fullLastPage_hasEndCursor() async throws {
        for _ in 0..<5 { try await world.like(try await world.list(), by: 1) }
        let list = try await world.estates("likes/me", by: 1)
        #expect(list.data.count == 5 && list.nextCursor == "0")
    }

    @Test(.service) func likedList_isFilteredByCategory() async throws {
        let flat = try await world.list(9, .at(37.5, 127) { $0.category = "아파트" })
        let room = try await world.list()
        for id in [flat, room] { try await world.like(id, by: 1) }
        for (rest, wanted) in [
            ("category=%EC%95%84%ED%8C%8C%ED%8A%B8", [flat]), ("category=castle", []), ("category=%00", []),
            ("category=", [room, flat]), ("rent_max=1", []),
        ] {
            let list = try await world.estates("likes/me?limit=5&\(rest)", by: 1)
            #expect(list.data.map(\.estateID) == wanted, "\(rest)")
            #expect(list.nextCursor == "0")
        }
    }

    @Test(.service) func likedList_hidesExactPositions() async throws {
        let body = EstateBody()
        let id = try await world.list(9, body)
        for account in [1, 9] as [AccountID] { try await world.like(id, by: account) }
        let others = try await world.estates("likes/me", by: 1).data[0].geolocation.coordinate
        let exact = Coordinate(latitude: body.latitude, longitude: body.longitude)
        #expect((30...80).contains(exact.distance(to: others)))
        #expect(try await world.estates("likes/me", by: 9).data[0].geolocation.coordinate == exact)
    }

    @Test(
        .service,
        arguments: ["limit=0", "limit=51", "limit=-1", "limit=x", "limit=5.0", "next=x", "next=1-0", "next=%00"]
    )
    func invalidPage_returns400WithField(query: String) async throws {
        let answer = try await world.client(1).send(.get, "/v1/estates/likes/me?\(query)")
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains(query.prefix { $0 != "=" }))
    }

    @Test func likedListQuery_usesIndexes() async throws {
        try await EstateWorld.fill(listings: 20_000, likes: 40_000)
        // Account 1 likes nearly every listing.
        try await TestDatabase.current.client.execute(
            """
            INSERT INTO likes (listing_id, account_id, created_at)
            SELECT n, 1, now() - n * interval '1 second' FROM generate_series(1, 20000) n
            """
        )
        try await TestDatabase.current.client.execute("ANALYZE likes")
        let cursor = PageCursor(.now - 5000, 5000)
        for after in [nil, cursor] {
            let plan = try await EstateWorld.plan(LikeStore.likes(of: 1, ListingFilter(), after: after, limit: 6))
            #expect(plan.contains("likes_account_id_idx") && plan.contains("listings_pkey"), "\(plan)")
            #expect(!plan.contains("Sort") && !plan.contains("Seq Scan"), "\(plan)")
        }
    }
}
