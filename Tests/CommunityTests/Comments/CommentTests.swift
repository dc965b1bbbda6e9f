import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import Profiles
import TestKit
import Testing

@testable import Community

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .anlaka) struct CommentTests {
    private var world: CommunityWorld { .current }

    @Test func comments_areShownOldestFirst() async throws {
        let (post, other) = (try await world.post(), try await world.post())
        let first = try await world.say("첫째\\n줄", on: post, by: 1)
        #expect(first.status == .ok)
        #expect(try first.keys() == ["comment_id", "content", "createdAt", "creator"])
        let id = try first.json(PostAnswer.Comment.self).commentID
        _ = try await world.comment("둘째", on: post, by: 2)
        _ = try await world.comment("딴 글", on: other, by: 2)
        for text in ["가", "나", "다"] { _ = try await world.comment(text, on: post, by: 9, answering: id) }
        let comments = try #require(try await world.show(post)?.comments)
        #expect(comments.map(\.content) == ["첫째\n줄", "둘째"])
        #expect(comments.map { $0.replies?.map(\.content) } == [["가", "나", "다"], []])
        #expect(comments[0].replies?.allSatisfy { $0.creator.nick == "바다" && $0.replies == nil } == true)
    }

    @Test func comment_isEditedAndDeletedWithReplies() async throws {
        let (post, other) = (try await world.post(), try await world.post())
        let id = try await world.comment("가", on: post, by: 1)
        let reply = try await world.comment("나", on: post, by: 2, answering: id)
        let path = "/v1/posts/\(post)/comments/\(id)"
        #expect(try await world.client(2).send(.put, path, json: #"{"content":"x"}"#).status.code == 445)
        #expect(try await world.client(2).send(.delete, path).status.code == 445)
        for (post, comment) in [(other, id), (post, "x"), ("x", id), (post, "%00")] {
            let path = "/v1/posts/\(post)/comments/\(comment)"
            #expect(try await world.client(1).send(.put, path, json: #"{"content":"x"}"#).status == .notFound)
            #expect(try await world.client(1).send(.delete, path).status == .notFound)
        }
        let changed = try await world.client(1).send(.put, path, json: #"{"content":"<b>다</b>"}"#)
        #expect(try changed.json(PostAnswer.Comment.self).content == "<b>다</b>")
        let gone = try await world.client(1).send(.delete, path)
        #expect(gone.status == .ok && gone.text.isEmpty)
        for (account, id) in [(1, id), (2, reply)] as [(AccountID, String)] {
            let path = "/v1/posts/\(post)/comments/\(id)"
            #expect(try await world.client(account).send(.delete, path).status == .notFound)
        }
        #expect(try await world.show(post)?.comments == [])
    }

    @Test func invalidComment_isRefused() async throws {
        let (post, other) = (try await world.post(), try await world.post())
        let parent = try await world.comment("가", on: post, by: 1)
        let reply = try await world.comment("나", on: post, by: 1, answering: parent)
        for (target, answered) in [(post, reply), (other, parent), (post, "x"), (post, "")] {
            let answer = try await world.say("다", on: target, by: 1, answering: answered)
            #expect(answer.status == .badRequest && answer.text.contains("parent_comment_id"), "\(answer.text)")
        }
        for content in ["", " ", "a\\u0000", String(repeating: "가", count: 1001)] {
            let answer = try await world.say(content, on: post, by: 1)
            #expect(answer.status == .badRequest && answer.text.contains("content"))
        }
        for gone in ["bbbbbbbbbbbbbbbbbbbbbbbb", "1", "%00"] {
            #expect(try await world.say("가", on: gone, by: 1).status == .notFound)
        }
        #expect(try await world.say(String(repeating: "가", count: 1000), on: post, by: 1).status == .ok)
        #expect(try await world.count("comments") == 3)
    }

    @Test func repeatedRequest_createsOneComment() async throws {
        let post = try await world.post()
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await world.say("가", on: post, by: 1, key: "k").json(PostAnswer.Comment.self).commentID
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await world.count("comments") == 1)
    }

    @Test func comment_onHiddenPost_returns404() async throws {
        let post = try await world.post()
        let id = try await world.comment("가", on: post, by: 2)
        try await world.database.execute("UPDATE posts SET hidden_at = now()")
        #expect(try await world.say("나", on: post, by: 2).status == .notFound)
        #expect(try await world.client(2).send(.delete, "/v1/posts/\(post)/comments/\(id)").status == .notFound)
        #expect(try await world.say("나", on: post, by: 1).status == .ok)
    }

    @Test func comments_areLimitedToNewestThousand() async throws {
        let post = try await world.post()
        let parent = try await world.comment("0", on: post, by: 1)
        try await world.database.execute(
            """
            INSERT INTO comments (public_id, post_id, parent_id, author_id, content, created_at)
            SELECT 'c' || lpad(to_hex(n), 23, '0'), post_id, CASE WHEN n > 1000 THEN id END, 2, n::text,
                created_at + n * interval '1 second'
            FROM comments CROSS JOIN generate_series(1, 2010) n WHERE public_id = \(parent)
            """
        )
        let comments = try #require(try await world.show(post)?.comments)
        #expect(comments.map(\.content) == (1...1000).map(String.init))
        try await world.database.execute("DELETE FROM comments WHERE content = '1000'")
        let answered = try #require(try await world.show(post)?.comments?.first)
        #expect(answered.replies?.map(\.content) == (1011...2010).map(String.init))
    }

    @Test func commentQueries_useIndexes() async throws {
        let parent = try await world.comment("0", on: world.post(), by: 1)
        try await world.database.execute(
            """
            INSERT INTO comments (public_id, post_id, parent_id, author_id, content, created_at)
            SELECT 'c' || lpad(to_hex(n), 23, '0'), post_id, CASE WHEN n % 2 = 0 THEN id END, 2, 'a',
                created_at + n * interval '1 second'
            FROM comments CROSS JOIN generate_series(1, 40000) n WHERE public_id = \(parent)
            """
        )
        try await world.database.execute("ANALYZE comments, people")
        let store = CommentStore(.posts(of: .anlaka))
        for sql in [store.comments(on: 1, after: nil, limit: 1000), store.newestReplies(on: 1, limit: 1000)] {
            let plan = try await CommunityWorld.plan(sql)
            #expect(plan.contains("comments_post_id_idx") && !plan.contains("Sort"), "\(plan)")
        }
    }
}
