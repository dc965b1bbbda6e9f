import Apps
import Contracts
import Files
import Profiles
import ServiceKit

/// A post in Anlaka's format (contract 1.7, PostSummary; with comments, Post).
struct PostBody: Encodable {
    var postID: PublicID
    var category: String?
    var title: String?
    var content: String?
    var geolocation: Geolocation?
    var creator: UserInfo
    /// Paths.
    var files: [String]
    var isLiked: Bool
    var likeCount: Int
    /// Absent in lists.
    var comments: [CommentBody]?
    var createdAt: SeSACInstant
    var updatedAt: SeSACInstant

    enum CodingKeys: String, CodingKey {
        case category, title, content, geolocation, creator, files, comments, createdAt, updatedAt
        case postID = "post_id"
        case isLiked = "is_like"
        case likeCount = "like_count"
    }

    /// - Parameter threads: The comments; nil in lists.
    init(_ post: Post, threads: [CommentThread]? = nil) {
        postID = post.publicID
        category = post.category
        title = post.title
        content = post.content
        geolocation = post.place.map(Geolocation.init)
        creator = UserInfo(post.author)
        files = post.files.map(Attachments.rules(of: .anlaka).path)
        isLiked = post.isLiked
        likeCount = post.likeCount
        comments = threads.map { $0.map(CommentBody.init) }
        createdAt = SeSACInstant(post.createdAt)
        updatedAt = SeSACInstant(post.updatedAt)
    }
}

/// A page of posts (Anlaka contract 1.7, Cursor list).
struct PostListBody: Encodable {
    var data: [PostBody]
    /// Absent in lists without pages.
    var nextCursor: String?

    enum CodingKeys: String, CodingKey {
        case data
        case nextCursor = "next_cursor"
    }

    init(_ page: Page<Post>) {
        data = page.items.map { PostBody($0) }
        nextCursor = page.next.text
    }

    init(_ posts: [Post]) {
        data = posts.map { PostBody($0) }
    }
}
