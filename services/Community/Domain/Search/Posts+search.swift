import TypedText

/// What is looked for in titles.
struct TitleKey: Sendable, Equatable {
    /// In small letters.
    let text: String

    /// - Throws: `CommunityError.rule` for what no title could have.
    init(checking title: String) throws(CommunityError) {
        guard TypedText.isFine(title, limit: 100) else {
            throw .rule("title must have 1 to 100 characters that can be shown.")
        }
        self.init(title)
    }

    init(_ title: String) {
        text = title.lowercased()
    }

    /// What a title must have to have this: each two characters that stand together, or the only one. The index knows these
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
    /// So many posts a search shows.
    static let searchLimit = 100

    /// Anlaka's posts whose titles have a text somewhere, in small letters or large ones, the newest first.
    ///
    /// The newest posts of all are looked through first: a word that many have is found there often enough. One that few
    /// have is looked up.
    ///
    /// - Throws: `CommunityError.rule`.
    func search(title: String, for account: Int64) async throws -> [Post] {
        let key = try TitleKey(checking: title)
        var found = try await store.newest(having: key, limit: Self.searchLimit, database)
        if found.count < Self.searchLimit {
            found = try await store.all(having: key, limit: Self.searchLimit, database)
        }
        return try await posts(found, for: account)
    }
}
