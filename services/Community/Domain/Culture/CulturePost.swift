import Contracts
import Profiles

/// A post with the additional data of Seoul Culture.
struct CulturePost: Sendable {
    var post: Post
    /// Public IDs of users who like it, latest first, at most 1,000; always includes the viewer if the viewer likes it.
    var likes: [PublicID] = []
    /// The same for the second kind of likes.
    var otherLikes: [PublicID] = []
    /// Newest first.
    var comments: [Comment] = []
    var commentCount = 0
    /// Public IDs of users who have paid for it, as in `likes`.
    var buyers: [PublicID] = []
}
