import Contracts
import FoundationEssentials
import People

/// An event that somebody likes. The app makes a post of it, which nobody else is shown (Culture contract 4.3).
struct Favourite: Sendable, Equatable {
    /// One of the ids of posts.
    var id: Int64
    var publicID: String
    /// The event's title with the person's public id behind it.
    var productID: String
    var title: String?
    /// Byte for byte what was sent.
    var content: String
    /// `CulturalEvent.id` of what the content tells.
    var eventID: String
    var createdAt: Date

    /// The post that the app takes it for.
    func post(by author: Person) -> Post {
        Post(
            id: id,
            publicID: publicID,
            app: .culture,
            author: author,
            category: productID,
            title: title,
            content: content,
            notes: [:],
            files: [],
            hashtags: PostDraft(content: content).hashtags,
            likeCount: 0,
            isLiked: false,
            createdAt: createdAt,
            updatedAt: createdAt
        )
    }
}
