import Contracts
import FoundationEssentials
import Profiles

/// A liked event. The app creates it as a post, which only its owner sees (Culture contract 4.3).
struct FavoriteEvent: Sendable, Equatable {
    /// From the sequence of the posts' IDs.
    var id: PostID
    var publicID: PublicID
    /// The event's title, followed by the owner's public ID.
    var productID: String
    var title: String?
    /// Unchanged, byte for byte.
    var content: String
    /// `CulturalEvent.id` of the event in the content.
    var eventID: PublicID
    var createdAt: Date

    /// The event as a post, for the app.
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
