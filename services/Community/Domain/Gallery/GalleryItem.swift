import Contracts
import FoundationEssentials
import Values

/// A picture in With Suhyeon's gallery (contract 4.5).
struct GalleryItem: Sendable, Equatable {
    /// 32 bits, as in the app.
    var id: GalleryItemID
    var author: AccountID
    var category: GalleryCategory
    var title: String
    var content: String
    /// Name of the upload.
    var picture: String
    var createdAt: Date
}

/// A validated description of a picture to be added (contract 1.4).
struct GalleryDraft: Sendable, Equatable {
    let category: GalleryCategory
    let title: String
    /// May be empty.
    let content: String
    /// Idempotency key of the request.
    let requestKey: String?

    static let titleLimit = 30
    static let contentLimit = 200

    /// - Throws: `CommunityError.rule` with a line for each invalid field; `GalleryError.categoryUnknown`.
    init(category: String, title: String, content: String, requestKey: String? = nil) throws {
        let broken = [
            category.allSatisfy(\.isWhitespace) ? "category must not be blank." : nil,
            TypedText.isValid(title, limit: Self.titleLimit)
                ? nil : "title must have 1 to \(Self.titleLimit) characters that can be shown.",
            TypedText.isShowable(content, limit: Self.contentLimit, manyLines: true)
                ? nil : "content must have at most \(Self.contentLimit) characters that can be shown.",
            requestKey.map { TypedText.isValid($0, limit: 200) } ?? true
                ? nil : "Idempotency-Key must have 1 to 200 characters that can be shown.",
        ].compactMap(\.self)
        guard broken.isEmpty else { throw CommunityError.rule(broken.map { "\($0)\n" }.joined()) }
        guard let category = GalleryCategory(text: category) else { throw GalleryError.categoryUnknown }
        self.category = category
        self.title = title
        self.content = content
        self.requestKey = requestKey
    }
}
