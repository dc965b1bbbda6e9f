import Contracts
import FoundationEssentials
import HTTPTypes
import HummingbirdTesting
import TestKit

@testable import Estate

extension EstateWorld {
    /// Comments on a listing.
    func say(
        _ content: String,
        on listing: String,
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
            "/v1/estates/\(listing)/comments?estate_id=\(listing)",
            json: json,
            headers: headers
        )
    }

    /// Comments on a listing; returns the comment's id.
    func comment(_ content: String, on listing: String, by account: AccountID, answering parent: String? = nil)
        async throws
        -> String
    {
        try await say(content, on: listing, by: account, answering: parent).json(CommentAnswer.self).commentID
    }

    /// The comments on a listing.
    func comments(on listing: String, _ query: String = "", by account: AccountID = 1) async throws
        -> CommentAnswer.List
    {
        try await client(account).send(.get, "/v1/estates/\(listing)/comments\(query)").json(CommentAnswer.List.self)
    }
}

/// A comment as the client decodes it.
struct CommentAnswer: Decodable, Equatable {
    var commentID: String
    var content: String
    var createdAt: String
    var creator: EstateAnswer.User
    var replies: [CommentAnswer]?

    enum CodingKeys: String, CodingKey {
        case content, createdAt, creator, replies
        case commentID = "comment_id"
    }

    struct List: Decodable, Equatable {
        var data: [CommentAnswer]
        var nextCursor: String

        enum CodingKeys: String, CodingKey {
            case data
            case nextCursor = "next_cursor"
        }
    }
}
