import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Community

/// The recipients of a comment's event.
@Suite(.database(Migrations.all), .timeLimit(.minutes(1))) struct CommentEventTests {
    private var world: CommunityWorld { .current }

    private func news() async throws -> [CommunityEvents.CommentWritten] {
        try await TestDatabase.current.client.all(
            "SELECT body FROM outbox WHERE name = \(CommunityEvents.CommentWritten.name) ORDER BY id"
        ) { try $0.decode(PostgresJSON<CommunityEvents.CommentWritten>.self).value }
    }

    /// The events as `sender>account text`, with `↩` for a reply; deletes them.
    private func notified() async throws -> [String] {
        let news = try await news()
        try await TestDatabase.current.client.execute("DELETE FROM outbox")
        return news.map { "\($0.sender)>\($0.account) \($0.isReply ? "↩" : "")\($0.text)" }
    }

    @Test(.anlaka) func comment_notifiesAuthorOfPost() async throws {
        let post = try await world.post(by: 1)
        _ = try await world.comment("나", on: post, by: 1)
        #expect(try await news() == [])
        let comment = try await world.comment("가", on: post, by: 2)
        let all = try await news()
        let event = try #require(all.first)
        let wanted = CommunityEvents.CommentWritten(
            app: .anlaka,
            account: 1,
            sender: 2,
            post: "\(post)",
            comment: "\(comment)",
            text: "가",
            isReply: false,
            id: event.id
        )
        #expect(all == [wanted])
    }

    @Test(.anlaka) func reply_notifiesAuthorsOfPostAndComment() async throws {
        let post = try await world.post(by: 1)
        let own = try await world.comment("a", on: post, by: 1)
        let other = try await world.comment("b", on: post, by: 2)
        #expect(try await notified() == ["2>1 b"])
        _ = try await world.comment("c", on: post, by: 9, answering: other)
        #expect(try await notified() == ["9>1 c", "9>2 ↩c"])
        _ = try await world.comment("d", on: post, by: 1, answering: other)
        #expect(try await notified() == ["1>2 ↩d"])
        _ = try await world.comment("e", on: post, by: 2, answering: other)
        #expect(try await notified() == ["2>1 e"])
        _ = try await world.comment("f", on: post, by: 2, answering: own)
        #expect(try await notified() == ["2>1 ↩f"])
        _ = try await world.comment("g", on: post, by: 1, answering: own)
        #expect(try await notified() == [])
    }

    @Test(.anlaka) func repeatedComment_notifiesOnce() async throws {
        let post = try await world.post(by: 1)
        try await withThrowingTaskGroup(of: HTTPResponse.Status.self) { group in
            for _ in 0..<8 { group.addTask { try await world.say("가", on: post, by: 2, key: "once").status } }
            for try await status in group { #expect(status == .ok) }
        }
        #expect(try await world.say("", on: post, by: 2).status != .ok)
        #expect(try await notified() == ["2>1 가"])
    }

    @Test(.culture) func cultureComment_notifiesAuthorOfPost() async throws {
        let post = try await world.review(by: 1).postID
        _ = try await world.remark("좋아요", on: post, by: 2)
        let news = try await news()
        #expect(news.map(\.app) == [.culture])
        #expect(news.map(\.post.rawValue) == [post])
        #expect(try await notified() == ["2>1 좋아요"])
    }
}
