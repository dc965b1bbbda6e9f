import Contracts
import FoundationEssentials
import Profiles
import Values

/// A post from the view of one user.
struct Post: Sendable, Equatable {
    var id: PostID
    var publicID: PublicID
    var app: App
    var author: Person
    /// Anlaka's category, or Seoul Culture's product ID.
    var category: String?
    var title: String?
    var content: String?
    /// Seoul Culture's `content1` to `content5`, if present.
    var notes: [String: String]
    /// Won.
    var price: Int64?
    /// Names of the author's uploads.
    var files: [String]
    var hashtags: [String]
    /// The position; always present in Anlaka.
    var place: Coordinate?
    var likeCount: Int
    /// Whether the viewer likes it.
    var isLiked: Bool
    var createdAt: Date
    var updatedAt: Date
}
