import Contracts
import Values

/// A post to be created, or the changes to one: nil fields are absent or do not change.
struct PostDraft: Sendable, Equatable {
    var category: String?
    var title: String?
    var content: String?
    var notes: [String: String]?
    var price: Int64?
    /// Paths of uploads.
    var files: [String]?
    var place: Coordinate?
    /// Idempotency key of the request.
    var requestKey: String?

    static let fileLimit = 5
    /// Won; 10¹².
    static let priceLimit: Int64 = 1_000_000_000_000

    /// - Throws: `CommunityError.rule` for the first invalid field.
    func check(for app: App) throws(CommunityError) {
        switch app {
        case .anlaka:
            try Self.check(category, "category", limit: 20)
            try Self.check(title, "title", limit: 100)
            try Self.check(content, "content", limit: 5000, manyLines: true)
        default:
            // Liked events have texts of the city, which are stored unchanged; control characters are therefore
            // accepted (Culture contract 4.3).
            try Self.checkLength(category, "product_id", limit: 600)
            try Self.checkLength(title, "title", limit: 600)
            try Self.checkLength(content, "content", limit: 20_000)
            for (name, text) in notes ?? [:] { try Self.checkLength(text, name, limit: 20_000) }
        }
        if let price, !(0...Self.priceLimit).contains(price) {
            throw .rule("price must be from 0 to \(Self.priceLimit) won.")
        }
        if let files, files.count > Self.fileLimit {
            throw .rule("files must have \(Self.fileLimit) entries or fewer.")
        }
        if let requestKey, !TypedText.isValid(requestKey, limit: 200) {
            throw .rule("Idempotency-Key must have 1 to 200 characters that can be shown.")
        }
    }

    private static func check(
        _ text: String?,
        _ name: String,
        limit: Int,
        manyLines: Bool = false
    ) throws(CommunityError) {
        guard let text, !TypedText.isValid(text, limit: limit, manyLines: manyLines) else { return }
        throw .rule("\(name) must have 1 to \(limit) characters that can be shown.")
    }

    private static func checkLength(_ text: String?, _ name: String, limit: Int) throws(CommunityError) {
        guard let text, text.unicodeScalars.count > limit || text.utf8.contains(0) else { return }
        throw .rule("\(name) must have at most \(limit) characters, and no NUL.")
    }

    /// The words after `#` in the content, without duplicates, in their order (Culture contract 4.2).
    var hashtags: [String] {
        let words = (content ?? "").split(whereSeparator: \.isWhitespace).flatMap { word in
            word.split(separator: "#", omittingEmptySubsequences: false).dropFirst()
        }
        var seen: Set<String> = []
        return words.map { String($0.prefix(50)) }.filter { !$0.isEmpty && seen.insert($0).inserted }.prefix(30).map(
            \.self
        )
    }
}
