import Contracts
import Paging
import People

extension CulturePosts {
    /// All reviews and other posts, or those of some products, the newest first. Of liked events only the caller's, and only
    /// when they are asked for.
    func newest(
        of products: [String],
        for account: Int64,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<CulturePost> {
        let wanted = Wanted(products, by: try await people.person(account))
        async let found =
            wanted.isFavouritesOnly
            ? [] : posts.store.newest(in: .culture, of: wanted.others, after: cursor, limit: limit + 1, database)
        async let liked = favourites.found(wanted.favourites, of: account, after: cursor, limit: limit + 1)
        return try await page(merged(found, liked), for: account, limit: limit)
    }

    /// What somebody has written, the newest first.
    ///
    /// The app takes whatever is no review in its owner's own list for a liked event, and fails on any other content; so
    /// without a filter that list has reviews and liked events, and nothing else (Culture contract 4.3).
    ///
    /// - Parameter author: their public id; of who is not there, nothing is found.
    func written(
        by author: String,
        of products: [String],
        for account: Int64,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<CulturePost> {
        let person = try await people.person(account)
        guard person.publicID == author else {
            let page = try await posts.written(
                by: author,
                in: .culture,
                of: products,
                for: account,
                after: cursor,
                limit: limit
            )
            return try await shown(page, for: account)
        }
        let wanted = Wanted(products, by: person)
        let kinds = products.isEmpty ? [Self.review] : wanted.others
        async let found =
            wanted.isFavouritesOnly
            ? [] : posts.store.written(by: account, of: kinds, for: account, after: cursor, limit: limit + 1, database)
        async let liked = favourites.found(
            products.isEmpty ? nil : wanted.favourites,
            of: account,
            after: cursor,
            limit: limit + 1
        )
        return try await page(merged(found, liked), for: account, limit: limit)
    }

    /// What somebody likes, the latest like first.
    ///
    /// - Parameter kind: 1, or 2 for the second kind of likes.
    func liked(
        by account: Int64,
        kind: Int16,
        of products: [String],
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<CulturePost> {
        let page = try await posts.liked(by: account, kind: kind, of: products, after: cursor, limit: limit)
        return try await shown(page, for: account)
    }

    /// The posts that have a hashtag, the newest first.
    ///
    /// - Parameter tag: the whole word, without `#`.
    func tagged(
        _ tag: String,
        of products: [String],
        for account: Int64,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<CulturePost> {
        let found = try await posts.store.tagged(tag, of: products, after: cursor, limit: limit + 1, database)
        return try await shown(try await posts.page(found, for: account, limit: limit), for: account)
    }

    private func shown(_ page: Page<Post>, for account: Int64) async throws -> Page<CulturePost> {
        Page(try await shown(page.items, for: account, comments: Self.commentLimits.list), next: page.next)
    }

    /// Shows what lists of posts and of liked events have found together.
    private func page(_ found: [PostStore.Found], for account: Int64, limit: Int) async throws -> Page<CulturePost> {
        let page = Page(found, limit: limit)
        async let written = posts.posts(page.items, for: account)
        async let liked = favourites.favourites(page.items)
        let person = try await people.person(account)
        let reviews = try await shown(try await written, for: account, comments: Self.commentLimits.list)
        let events = try await liked.map { CulturePost(post: $0.post(by: person)) }
        let byID = Dictionary((reviews + events).map { ($0.post.id, $0) }) { first, _ in first }
        return Page(page.items.compactMap { byID[$0] }, next: page.next)
    }

    /// Two lists in one, the latest first.
    private func merged(_ one: [PostStore.Found], _ other: [PostStore.Found]) -> [PostStore.Found] {
        (one + other).sorted { ($0.cursor.instant, $0.cursor.id) > ($1.cursor.instant, $1.cursor.id) }
    }

    /// Product ids that somebody asks for, sorted out: their liked events', and others.
    private struct Wanted {
        var favourites: [String]
        var others: [String]

        init(_ products: [String], by person: Person) {
            favourites = products.filter { Favourites.isFavourite($0, of: person) }
            others = products.filter { !Favourites.isFavourite($0, of: person) }
        }

        var isFavouritesOnly: Bool { others.isEmpty && !favourites.isEmpty }
    }
}
