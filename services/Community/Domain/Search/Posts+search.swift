import Contracts
import Values

/// A text to be searched in titles.
struct TitleKey: Sendable, Equatable {
    /// In lower case.
    let text: String

    /// - Throws: `CommunityError.rule` when no title can contain the text.
    init(checking title: String) throws(CommunityError) {
        guard TypedText.isValid(title, limit: 100) else {
            throw .rule("title must have 1 to 100 characters that can be shown.")
        }
        self.init(title)
    }

    init(_ title: String) {
        text = title.lowercased()
    }

    /// The pairs of adjacent characters that a matching title must have, or the only character. They are indexed
    /// (`Migrations/0008_search.sql`).
    var grams: [String] {
        let scalars = Array(text.unicodeScalars)
        guard scalars.count > 1 else { return [text] }
        let pairs = zip(scalars, scalars.dropFirst()).map { one, other in
            var pair = String.UnicodeScalarView()
            pair.append(one)
            pair.append(other)
            return String(pair)
        }
        return Array(Set(pairs))
    }
}

extension Posts {
    /// Maximum number of results.
    static let searchLimit = 100

    /// Anlaka's posts whose titles contain a text, case-insensitive, newest first.
    ///
    /// Scans the newest posts first, which is enough for frequent words; rare ones are then looked up in the index.
    ///
    /// - Throws: `CommunityError.rule`.
    func search(title: String, for account: AccountID) async throws -> [Post] {
        let key = try TitleKey(checking: title)
        var found = try await store.newest(having: key, limit: Self.searchLimit, database)
        if found.count < Self.searchLimit {
            found = try await store.all(having: key, limit: Self.searchLimit, database)
        }
        return try await posts(found, for: account)
    }
}
