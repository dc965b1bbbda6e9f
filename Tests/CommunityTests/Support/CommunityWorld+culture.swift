import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import TestKit

@testable import Community

/// A post as Seoul Culture decodes it.
struct CulturePostAnswer: Decodable, Equatable {
    var postID: String
    var productID: String?
    var title: String?
    var content: String?
    var content1: String?
    var content5: String?
    var price: Int?
    var createdAt: String
    var creator: CultureUser
    var files: [String]
    var likes: [String]
    var likes2: [String]
    var hashTags: [String]
    var comments: [CultureCommentAnswer]
    var buyers: [String]
    var likeCount: Int
    var commentCount: Int

    enum CodingKeys: String, CodingKey {
        case postID = "post_id"
        case productID = "product_id"
        case title, content, content1, content5, price, createdAt, creator, files, likes, likes2, hashTags, comments
        case buyers
        case likeCount = "like_count"
        case commentCount = "comment_count"
    }

    struct List: Decodable, Equatable {
        var data: [CulturePostAnswer]
        var nextCursor: String

        enum CodingKeys: String, CodingKey {
            case data
            case nextCursor = "next_cursor"
        }
    }
}

struct CultureUser: Decodable, Equatable {
    var userID: String
    var nick: String
    var profileImage: String?

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case nick, profileImage
    }
}

struct CultureCommentAnswer: Decodable, Equatable {
    var commentID: String
    var content: String
    var createdAt: String
    var creator: CultureUser

    enum CodingKeys: String, CodingKey {
        case commentID = "comment_id"
        case content, createdAt, creator
    }
}

/// The client's request body for a post; nil members are left out.
struct CulturePostDraft: Encodable {
    var productID: String? = "ksm_post"
    var title: String? = "후기"
    var content: String? = "좋았어요 #전시"
    var content1: String?
    var price: Int?
    var files: [String]? = []

    enum CodingKeys: String, CodingKey {
        case productID = "product_id"
        case title, content, content1, price, files
    }

    var text: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

extension CommunityWorld {
    /// Publishes a post of Seoul Culture.
    func review(_ draft: CulturePostDraft = .init(), by account: AccountID = 1) async throws -> CulturePostAnswer {
        try await client(account).send(.post, "/v1/posts", json: draft.text).json(CulturePostAnswer.self)
    }

    /// A list of Seoul Culture: `""` for all, `/users/…`, `/likes/me`, with its query.
    func cultureList(_ path: String = "", by account: AccountID = 1) async throws -> CulturePostAnswer.List {
        try await client(account).send(.get, "/v1/posts\(path)").json(CulturePostAnswer.List.self)
    }

    /// Reads a list to its end; returns the ids of its posts.
    func all(_ path: String, limit: Int, by account: AccountID = 1) async throws -> [String] {
        var (ids, next) = ([String](), "")
        repeat {
            let list = try await cultureList("\(path)?limit=\(limit)&next=\(next)", by: account)
            ids += list.data.map(\.postID)
            next = list.nextCursor
        } while next != "0"
        return ids
    }

    /// Likes an event as the client does.
    func likeEvent(_ event: CulturalEvent, by account: AccountID = 1) async throws -> TestResponse {
        let draft = CulturePostDraft(
            productID: event[.title] + Self.publicID(account),
            title: event[.title],
            content: event.favouriteContent
        )
        return try await client(account).send(.post, "/v1/posts", json: draft.text)
    }

    /// Comments on a post.
    func remark(_ content: String, on post: String, by account: AccountID = 1) async throws -> CultureCommentAnswer {
        try await client(account).send(.post, "/v1/posts/\(post)/comments", json: #"{"content":"\#(content)"}"#)
            .json(CultureCommentAnswer.self)
    }

    /// Delivers the event of an account's withdrawal.
    func withdraw(_ account: AccountID) async throws -> Int {
        try await deliver(AuthEvents.AccountWithdrawn(account: account, app: app), from: .auth)
    }
}

extension String {
    /// Percent-encoded for a query or a path.
    var encoded: String { utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}

extension CulturalEvent {
    /// A usual event with the given fields changed.
    static func fixture(_ title: String, _ fields: [Field: String] = [:]) -> CulturalEvent {
        var row: [Field: String] = [
            .title: title, .category: "전시/미술", .district: "종로구", .place: "시립미술관", .organization: "서울특별시",
            .start: "2025-11-01 00:00:00.0", .end: "2025-11-30 00:00:00.0", .longitude: "126.9769",
            .latitude: "37.5759",
            .isFree: "무료", .audience: "누구나", .link: "http://example.org/a?b=1&c=2", .image: "http://example.org/a.jpg",
            .homepage: "https://example.org/home",
        ]
        row.merge(fields) { $1 }
        return CulturalEvent(Dictionary(uniqueKeysWithValues: row.map { ($0.key.rawValue, $0.value) }))
    }
}
