import Contracts
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit
import Testing

@testable import Estate

@Suite(.database(Migrations.all), .timeLimit(.minutes(1)), .service) struct CommentTests {
    private var world: EstateWorld { .current }
    private static let missing = "bbbbbbbbbbbbbbbbbbbbbbbb"

    @Test func comment_isCreatedEditedAndDeleted() async throws {
        let listing = try await world.list()
        let made = try await world.say("역에서\\n가까운가요?", on: listing, by: 1)
        #expect(made.status == .ok, "\(made.text)")
        #expect(try made.keys() == ["comment_id", "content", "createdAt", "creator"])
        var comment = try made.json(CommentAnswer.self)
        #expect(comment.commentID.wholeMatch(of: /[0-9a-f]{24}/) != nil)
        #expect(comment.content == "역에서\n가까운가요?")
        #expect(comment.createdAt.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
        #expect(comment.creator.userID == EstateWorld.publicID(1) && comment.creator.nick == "하루")

        let path = "/v1/estates/\(listing)/comments/\(comment.commentID)"
        let changed = try await world.client(1).send(.put, path, json: #"{"content":"몇 분인가요?"}"#)
        comment.content = "몇 분인가요?"
        #expect(changed.status == .ok)
        #expect(try changed.json(CommentAnswer.self) == comment)

        let reply = try await world.comment("5분이요", on: listing, by: 9, answering: comment.commentID)
        let gone = try await world.client(1).send(.delete, path)
        #expect(gone.status == .ok && gone.text.isEmpty)
        for id in [comment.commentID, reply] {
            let again = try await world.client(id == reply ? 9 : 1).send(
                .delete,
                "/v1/estates/\(listing)/comments/\(id)"
            )
            #expect(again.status == .notFound)
        }
        #expect(try await world.count("comments") == 0)
    }

    @Test func comment_ofOtherUser_cannotBeEdited() async throws {
        let listing = try await world.list()
        let id = try await world.comment("제 것", on: listing, by: 1)
        let path = "/v1/estates/\(listing)/comments/\(id)"
        // The owner of the listing may not edit it, either.
        for account in [2, 9] as [AccountID] {
            #expect(try await world.client(account).send(.put, path, json: #"{"content":"x"}"#).status.code == 445)
            #expect(try await world.client(account).send(.delete, path).status.code == 445)
        }
        #expect(try await world.comments(on: listing).data.map(\.content) == ["제 것"])
    }

    @Test func missingListingOrComment_returns404() async throws {
        let (listing, other) = (try await world.list(), try await world.list())
        let id = try await world.comment("가", on: listing, by: 1)
        for gone in [Self.missing, "1", "%00"] {
            #expect(try await world.say("가", on: gone, by: 1).status == .notFound)
            #expect(try await world.client(1).send(.get, "/v1/estates/\(gone)/comments").status == .notFound)
        }
        for (listing, comment) in [
            (other, id), (listing, Self.missing), (Self.missing, id), ("1", id), (listing, "%00"),
        ] {
            let path = "/v1/estates/\(listing)/comments/\(comment)"
            #expect(try await world.client(1).send(.put, path, json: #"{"content":"x"}"#).status == .notFound)
            #expect(try await world.client(1).send(.delete, path).status == .notFound)
        }
        #expect(try await world.comments(on: listing).data.count == 1)
    }

    @Test(arguments: [
        "", "{}", #"{"content":""}"#, #"{"content":" \n\t "}"#, #"{"content":"a\u0000"}"#, #"{"content":null}"#,
        #"{"content":1}"#, #"{"content":"\#(String(repeating: "가", count: 1001))"}"#,
        #"{"content":"a","parent_comment_id":"bbbbbbbbbbbbbbbbbbbbbbbb"}"#,
        #"{"content":"a","parent_comment_id":"x"}"#, #"{"content":"a","parent_comment_id":5}"#,
        #"{"content":"a","parent_comment_id":""}"#, #"{"content":"a","parent_comment_id":"\u0000"}"#,
    ])
    func invalidComment_returns400WithField(body: String) async throws {
        let listing = try await world.list()
        let answer = try await world.client(1).send(.post, "/v1/estates/\(listing)/comments", json: body)
        #expect(answer.status == .badRequest)
        if body.contains("content") {
            let field = body.contains("parent_comment_id") ? "parent_comment_id" : "content"
            #expect(answer.text.contains(field), "\(answer.text)")
        }
        #expect(try await world.count("comments") == 0)
    }

    @Test func content_isLimitedToThousandCharacters() async throws {
        let listing = try await world.list()
        let text = String(repeating: "가", count: 1000)
        let id = try await world.comment(text, on: listing, by: 1)
        let path = "/v1/estates/\(listing)/comments/\(id)"
        for body in ["{}", #"{"content":" "}"#, #"{"content":"\#(text)가"}"#] {
            #expect(try await world.client(1).send(.put, path, json: body).status == .badRequest)
        }
        #expect(try await world.comments(on: listing).data.map(\.content) == [text])
    }

    @Test func reply_toReplyOrOtherListing_isRefused() async throws {
        let (listing, other) = (try await world.list(), try await world.list())
        let parent = try await world.comment("가", on: listing, by: 1)
        let reply = try await world.comment("나", on: listing, by: 2, answering: parent)
        #expect(try await world.say("다", on: listing, by: 1, answering: reply).status == .badRequest)
        #expect(try await world.say("다", on: other, by: 1, answering: parent).status == .badRequest)
        #expect(try await world.count("comments") == 2)
    }

    @Test func repeatedRequest_createsOneComment() async throws {
        let (listing, other) = (try await world.list(), try await world.list())
        let answers = try await withThrowingTaskGroup(of: CommentAnswer.self) { group in
            for _ in 0..<8 {
                group.addTask { try await world.say("가", on: listing, by: 1, key: "k").json(CommentAnswer.self) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let later = try await world.say("나", on: listing, by: 1, key: "k").json(CommentAnswer.self)
        #expect(answers == Array(repeating: later, count: 8) && later.content == "가")
        // The keys of two users are separate.
        let others = try await world.say("나", on: listing, by: 2, key: "k").json(CommentAnswer.self)
        #expect(others.content == "나")
        let elsewhere = try await world.say("가", on: other, by: 1, key: "k")
        #expect(elsewhere.status == .badRequest && elsewhere.text.contains("Idempotency-Key"))
        let long = try await world.say("가", on: listing, by: 1, key: String(repeating: "k", count: 201))
        #expect(long.status == .badRequest && long.text.contains("Idempotency-Key"))
        #expect(try await world.count("comments") == 2)
    }

    /// A reply after the deletion is refused.
    @Test func concurrentRepliesAndDeletion_leaveNoRows() async throws {
        for _ in 0..<6 {
            let listing = try await world.list()
            let parent = try await world.comment("가", on: listing, by: 1)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        let code = try await world.say("나", on: listing, by: 2, answering: parent).status.code
                        #expect([200, 400, 404].contains(code))
                    }
                }
                group.addTask {
                    let path = "/v1/estates/\(listing)/comments/\(parent)"
                    let code = try await world.client(1).send(.delete, path).status.code
                    #expect([200, 404].contains(code))
                }
                group.addTask { try await world.database.execute("DELETE FROM listings WHERE public_id = \(listing)") }
                try await group.waitForAll()
            }
        }
        #expect(try await world.count("comments") == 0)
    }
}
