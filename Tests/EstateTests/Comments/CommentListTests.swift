import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Profiles
import ServiceKit
import TestKit
import Testing

@testable import Estate

@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CommentListTests {
    private var world: EstateWorld { .current }

    @Test(.service) func comments_areNewestFirstWithRepliesOldestFirst() async throws {
        let (listing, other) = (try await world.list(), try await world.list())
        #expect(try await world.comments(on: listing) == .init(data: [], nextCursor: "0"))
        let first = try await world.comment("첫째", on: listing, by: 1)
        _ = try await world.comment("둘째", on: listing, by: 2)
        _ = try await world.comment("다른 집", on: other, by: 2)
        for text in ["가", "나", "다"] { _ = try await world.comment(text, on: listing, by: 9, answering: first) }
        let list = try await world.comments(on: listing)
        #expect(list.data.map(\.content) == ["둘째", "첫째"])
        #expect(list.data.map { $0.replies?.map(\.content) } == [[], ["가", "나", "다"]])
        #expect(list.data[1].replies?.allSatisfy { $0.creator.nick == "중개사" && $0.replies == nil } == true)
    }

    @Test(.service) func pages_duringInsertsAndDeletions_stayStable() async throws {
        let listing = try await world.list()
        var ids: [String] = []
        for number in 0..<12 { ids.append(try await world.comment("\(number)", on: listing, by: 1)) }
        // All comments have the same time: their ids determine the order.
        try await world.database.execute("UPDATE comments SET created_at = '2025-11-20T03:00:00.123Z'")
        let first = try await world.comments(on: listing)
        #expect(first.data.map(\.commentID) == ids[7...].reversed())
        _ = try await world.comment("새", on: listing, by: 2)
        _ = try await world.comment("답", on: listing, by: 2, answering: ids[0])
        _ = try await world.client(1).send(.delete, "/v1/estates/\(listing)/comments/\(ids[7])")
        let second = try await world.comments(on: listing, "?limit=6&next=\(first.nextCursor)")
        #expect(second.data.map(\.commentID) == ids[1...6].reversed())
        let last = try await world.comments(on: listing, "?limit=6&next=\(second.nextCursor)")
        #expect(last.data.map(\.commentID) == [ids[0]] && last.nextCursor == "0")
        #expect(last.data[0].replies?.count == 1)
        for query in ["limit=0", "limit=51", "next=x"] {
            let answer = try await world.client(1).send(.get, "/v1/estates/\(listing)/comments?\(query)")
            #expect(answer.status == .badRequest, "\(query)")
        }
    }

    @Test(.service) func replies_areLimitedToFiftyPerComment() async throws {
        let listing = try await world.list()
        let full = try await world.comment("가", on: listing, by: 1)
        let other = try await world.comment("나", on: listing, by: 1)
        try await world.database.execute(
            """
            INSERT INTO comments (public_id, listing_id, parent_id, author_id, content, created_at)
            SELECT 'c' || lpad(to_hex(n), 23, '0'), listing_id, id, 2, n::text, created_at + n * interval '1 second'
            FROM comments CROSS JOIN generate_series(1, 60) n WHERE public_id = \(full)
            """
        )
        _ = try await world.comment("답", on: listing, by: 2, answering: other)
        let list = try await world.comments(on: listing)
        #expect(list.data[1].replies?.map(\.content) == (1...50).map(String.init))
        #expect(list.data[0].replies?.map(\.content) == ["답"])
    }

    @Test func commentQueries_useIndexes() async throws {
        try await EstateWorld.fill(listings: 100, likes: 1)
        let database = TestDatabase.current.client
        // One listing has most of the comments, with more replies than comments.
        try await database.execute(
            """
            INSERT INTO comments (public_id, listing_id, author_id, content, created_at)
            SELECT 'c' || lpad(to_hex(n), 23, '0'), CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n % 100 END, 100 + n % 500, 'a',
                now() - n * interval '1 minute'
            FROM generate_series(1, 20000) n
            """
        )
        try await database.execute(
            """
            INSERT INTO comments (public_id, listing_id, parent_id, author_id, content)
            SELECT 'b' || lpad(to_hex(n), 23, '0'), c.listing_id, c.id, 100, 'a'
            FROM generate_series(1, 40000) n JOIN comments c ON c.id = 1 + n % 20
            """
        )
        try await database.execute("ANALYZE comments")
        for cursor in [nil, PageCursor(Date.now - 86_400, 5000)] {
            let plan = try await EstateWorld.plan(CommentStore(.listings).comments(on: 1, after: cursor, limit: 6))
            #expect(plan.contains("comments_listing_id_idx") && !plan.contains("Sort"), "\(plan)")
        }
        let ids = (1...50).map(CommentID.init(rawValue:))
        let plan = try await EstateWorld.plan(CommentStore(.listings).replies(to: ids, limit: 50))
        #expect(plan.contains("comments_parent_id_idx") && !plan.contains("Seq Scan on comments"), "\(plan)")
    }
}
