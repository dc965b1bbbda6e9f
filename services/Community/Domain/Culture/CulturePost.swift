import Comments

/// A post with everything that Seoul Culture shows beside it.
struct CulturePost: Sendable {
    var post: Post
    /// The public ids of who likes it, the latest first: a thousand at most, the viewer's always among them if they do.
    var likes: [String] = []
    /// The same for the second kind of likes.
    var otherLikes: [String] = []
    /// The newest first.
    var comments: [Comment] = []
    var commentCount = 0
    /// The public ids of who has paid for it, in the manner of `likes`.
    var buyers: [String] = []
}
