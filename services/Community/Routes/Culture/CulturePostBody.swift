import Apps
import Contracts
import Files
import Profiles
import ServiceKit

/// A post in Seoul Culture's format (contract 1.2, Post). Lists are always present; other fields without a value are
/// absent.
struct CulturePostBody: Encodable {
    var postID: PublicID
    var productID: String?
    var title: String?
    var content: String?
    var content1: String?
    var content2: String?
    var content3: String?
    var content4: String?
    var content5: String?
    var price: Int64?
    var createdAt: SeSACInstant
    var creator: UserInfo
    /// Paths.
    var files: [String]
    /// Public IDs of users who like it.
    var likes: [PublicID]
    var likes2: [PublicID]
    var hashTags: [String]
    var comments: [CommentBody]
    /// Public IDs of users who have paid for it.
    var buyers: [PublicID]
    /// The number of likes, which may exceed the length of `likes`.
    var likeCount: Int
    var commentCount: Int

    enum CodingKeys: String, CodingKey {
        case postID = "post_id"
        case productID = "product_id"
        case title, content, content1, content2, content3, content4, content5, price, createdAt, creator, files, likes
        case likes2, hashTags, comments, buyers
        case likeCount = "like_count"
        case commentCount = "comment_count"
    }

    init(_ shown: CulturePost) {
        let post = shown.post
        postID = post.publicID
        productID = post.category
        title = post.title
        content = post.content
        content1 = post.notes["content1"]
        content2 = post.notes["content2"]
        content3 = post.notes["content3"]
        content4 = post.notes["content4"]
        content5 = post.notes["content5"]
        price = post.price
        createdAt = SeSACInstant(post.createdAt)
        creator = UserInfo(post.author)
        files = post.files.map { Attachments.rules(of: .culture).path($0) }
        likes = shown.likes
        likes2 = shown.otherLikes
        hashTags = post.hashtags
        comments = shown.comments.map { CommentBody($0) }
        buyers = shown.buyers
        likeCount = post.likeCount
        commentCount = shown.commentCount
    }
}

/// A page of posts (contract 1.2, PostList).
struct CulturePostListBody: Encodable {
    var data: [CulturePostBody]
    var nextCursor: String

    enum CodingKeys: String, CodingKey {
        case data
        case nextCursor = "next_cursor"
    }

    init(_ page: Page<CulturePost>) {
        data = page.items.map(CulturePostBody.init)
        nextCursor = page.next.text
    }
}

/// A post to be created or changed (contract 2, calls 10 and 13).
struct CulturePostRequest: Decodable {
    var productID: String?
    var title: String?
    var content: String?
    var content1: String?
    var content2: String?
    var content3: String?
    var content4: String?
    var content5: String?
    var price: Int64?
    var files: [String]?

    enum CodingKeys: String, CodingKey {
        case productID = "product_id"
        case title, content, content1, content2, content3, content4, content5, price, files
    }

    /// - Parameter requestKey: Idempotency key of the request, if any.
    func draft(requestKey: String? = nil) -> PostDraft {
        let notes = [
            "content1": content1, "content2": content2, "content3": content3, "content4": content4,
            "content5": content5,
        ]
        return PostDraft(
            category: productID,
            title: title,
            content: content,
            notes: notes.compactMapValues(\.self),
            price: price,
            files: files,
            requestKey: requestKey
        )
    }
}
