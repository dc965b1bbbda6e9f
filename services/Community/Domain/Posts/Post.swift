import Contracts
import FoundationEssentials
import Geography
import People

/// Something that somebody has written, as one person sees it.
struct Post: Sendable, Equatable {
    var id: Int64
    /// 24 lower-case hexadecimal digits: what the apps call it.
    var publicID: String
    var app: App
    var author: Person
    /// Anlaka's category, Seoul Culture's product id.
    var category: String?
    var title: String?
    var content: String?
    /// Seoul Culture's `content1` to `content5`, as far as there are any.
    var notes: [String: String]
    /// Won.
    var price: Int64?
    /// The names of uploads of the author.
    var files: [String]
    var hashtags: [String]
    /// Where it is about; Anlaka's posts have one.
    var place: Coordinate?
    var likeCount: Int
    /// Whether who looks likes it.
    var isLiked: Bool
    var createdAt: Date
    var updatedAt: Date
}
