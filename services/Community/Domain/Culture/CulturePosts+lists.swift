import Contracts
import Profiles
import ServiceKit

extension CulturePosts {
    /// All posts, or those of some products, newest first. Liked events are included only if their product IDs are
    /// requested, and only the caller's.
    func newest(
        of products: [String],
        for account: AccountID,
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

    /// The posts of an author, newest first.
    ///
    /// In a user's own list the app takes every post that is not a review for a liked event, and fails on other
    /// content. Without a filter, that list therefore has reviews and liked events only (Culture contract 4.3).
    ///
    /// - Parameter author: Public ID; the page is empty for an unknown one, and for nil.
    func written(
        by author: PublicID?,
        of products: [String],
        for account: AccountID,
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

    /// The liked posts of an account, latest like first.
    ///
    /// - Parameter kind: 1, or 2 for the second kind of likes.
    func liked(
        by account: AccountID,
        kind: Int16,
        of products: [String],
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<CulturePost> {
        let page = try await posts.liked(by: account, kind: kind, of: products, after: cursor, limit: limit)
        return try await shown(page, for: account)
    }

    /// The posts with a hashtag, newest first.
    ///
    /// - Parameter tag: The whole word, without `#`.
    func tagged(
        _ tag: String,
        of products: [String],
        for account: AccountID,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<CulturePost> {
        let found = try await posts.store.tagged(tag, of: products, after: cursor, limit: limit + 1, database)
        return try await shown(try await posts.page(found, for: account, limit: limit), for: account)
    }

    private func shown(_ page: Page<Post>, for account: AccountID) async throws -> Page<CulturePost> {
        Page(try await shown(page.items, for: account, comments: Self.commentLimits.list), next: page.next)
    }

    /// A page of posts and liked events found together.
    private func page(_ found: [PostStore.Found], for account: AccountID, limit: Int) async throws -> Page<CulturePost>
    {
        let page = Page(found, limit: limit)
        async let written = posts.posts(page.items, for: account)
        async let liked = favourites.favourites(page.items)
        let person = try await people.person(account)
        let reviews = try await shown(try await written, for: account, comments: Self.commentLimits.list)
        let events = try await liked.map { CulturePost(post: $0.post(by: person)) }
        let byID = Dictionary((reviews + events).map { ($0.post.id, $0) }) { first, _ in first }
        return Page(page.items.compactMap { byID[$0] }, next: page.next)
    }

    /// Merges two lists, newest first.
    private func merged(_ one: [PostStore.Found], _ other: [PostStore.Found]) -> [PostStore.Found] {
        (one + other).sorted { ($0.cursor.instant, $0.cursor.id) > ($1.cursor.instant, $1.cursor.id) }
    }

    /// Requested product IDs, separated into those of the person's liked events and others.
    private struct Wanted {
        var favourites: [String]
        var others: [String]

        init(_ products: [String], by person: Person) {
            favourites = products.filter { FavoriteEvents.isFavourite($0, of: person) }
            others = products.filter { !FavoriteEvents.isFavourite($0, of: person) }
        }

        var isFavouritesOnly: Bool { others.isEmpty && !favourites.isEmpty }
    }
}
