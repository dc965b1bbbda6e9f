import Apps
import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import Postgres
import Profiles
import TestKit
import Values

@testable import Community

extension CommunityWorld {
    static let home = Coordinate(latitude: 37.6522582058481, longitude: 127.045432300312)

    /// The body of a new post; nil members are left out.
    static func post(
        category: String? = "맛집",
        title: String? = "국밥",
        content: String? = "골목 안",
        at place: Coordinate? = home,
        files: [String]? = []
    ) -> String {
        struct Body: Encodable {
            var category, title, content: String?
            var longitude, latitude: Double?
            var files: [String]?
        }
        let body = Body(
            category: category,
            title: title,
            content: content,
            longitude: place?.longitude,
            latitude: place?.latitude,
            files: files
        )
        return String(decoding: (try? JSONEncoder().encode(body)) ?? Data(), as: UTF8.self)
    }

    /// Sends the request for a new post.
    func publish(_ body: String, by account: AccountID = 1, key: String? = nil) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        if let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        return try await client(account).send(.post, "/v1/posts", json: body, headers: headers)
    }

    /// Creates a post; returns its id.
    func post(
        _ title: String = "국밥",
        of category: String = "맛집",
        at place: Coordinate = home,
        files: [String] = [],
        by account: AccountID = 1
    ) async throws -> String {
        let body = Self.post(category: category, title: title, at: place, files: files)
        return try await publish(body, by: account).json(PostAnswer.self).postID
    }

    /// A post as an account sees it; nil when it is not visible.
    func show(_ id: String, by account: AccountID = 1) async throws -> PostAnswer? {
        let answer = try await client(account).send(.get, "/v1/posts/\(id)?post_id=\(id)")
        return answer.status == .ok ? try answer.json(PostAnswer.self) : nil
    }

    /// A list of posts.
    func posts(_ path: String, by account: AccountID = 1) async throws -> PostAnswer.List {
        try await client(account).send(.get, "/v1/posts/\(path)").json(PostAnswer.List.self)
    }

    /// Sets an account's like of a post; returns the status.
    @discardableResult
    func like(_ id: String, by account: AccountID, _ status: Bool = true) async throws -> Int {
        let json = #"{"like_status":\#(status)}"#
        return try await client(account).send(.post, "/v1/posts/\(id)/like?post_id=\(id)", json: json).status.code
    }

    /// Reports a post; returns the status.
    @discardableResult
    func report(_ id: String, by account: AccountID, _ reason: String = "광고") async throws -> Int {
        let json = #"{"reason":"\#(reason)"}"#
        return try await client(account).send(.post, "/v1/posts/\(id)/reports", json: json).status.code
    }

    /// Comments on a post.
    func say(
        _ content: String,
        on post: String,
        by account: AccountID,
        answering parent: String? = nil,
        key: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        if let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        let parent = parent.map { #""parent_comment_id":"\#($0)","# } ?? ""
        let json = #"{\#(parent)"content":"\#(content)"}"#
        return try await client(account).send(
            .post,
            "/v1/posts/\(post)/comments?post_id=\(post)",
            json: json,
            headers: headers
        )
    }

    /// Comments on a post; returns the comment's id.
    func comment(_ content: String, on post: String, by account: AccountID, answering parent: String? = nil)
        async throws
        -> String
    {
        try await say(content, on: post, by: account, answering: parent).json(PostAnswer.Comment.self).commentID
    }

    /// The number of posts whose like count differs from their likes.
    func miscounted() async throws -> Int {
        try await database.one(
            """
            SELECT count(*) FROM posts
            WHERE \(LikeCounts.posts.count(of: "posts")) <> (SELECT count(*) FROM likes WHERE post_id = posts.id AND kind = 1)
            """
        ) { try $0.decode(Int.self) }
    }
}

/// A post as Anlaka decodes it.
struct PostAnswer: Decodable, Equatable {
    struct Place: Decodable, Equatable { var longitude, latitude: Double }

    struct User: Decodable, Equatable {
        var userID, nick: String
        var profileImage: String?

        enum CodingKeys: String, CodingKey {
            case nick, profileImage
            case userID = "user_id"
        }
    }

    struct Comment: Decodable, Equatable {
        var commentID, content, createdAt: String
        var creator: User
        var replies: [Comment]?

        enum CodingKeys: String, CodingKey {
            case content, createdAt, creator, replies
            case commentID = "comment_id"
        }
    }

    struct List: Decodable, Equatable {
        var data: [PostAnswer]
        var nextCursor: String?

        enum CodingKeys: String, CodingKey {
            case data
            case nextCursor = "next_cursor"
        }
    }

    var postID, category, title, content: String
    var geolocation: Place
    var creator: User
    var files: [String]
    var isLiked: Bool
    var likeCount: Int
    var comments: [Comment]?
    var createdAt, updatedAt: String

    enum CodingKeys: String, CodingKey {
        case category, title, content, geolocation, creator, files, comments, createdAt, updatedAt
        case postID = "post_id"
        case isLiked = "is_like"
        case likeCount = "like_count"
    }
}
