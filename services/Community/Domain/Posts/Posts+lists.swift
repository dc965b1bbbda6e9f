import Contracts
import Paging
import People

extension Posts {
    /// All of an app, or those of some categories, the newest first.
    func newest(
        in app: App,
        of categories: [String],
        for account: Int64,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<Post> {
        let found = try await store.newest(in: app, of: categories, after: cursor, limit: limit + 1, database)
        return try await page(found, for: account, limit: limit)
    }

    /// What somebody has written, the newest first; nothing of who is not there.
    ///
    /// - Parameter author: what the app calls them.
    func written(
        by author: String,
        in app: App,
        of categories: [String],
        for account: Int64,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<Post> {
        guard let author = try await people.account(publicID: author, of: app) else { return Page([], next: .end) }
        let found = try await store.written(
            by: author,
            of: categories,
            for: account,
            after: cursor,
            limit: limit + 1,
            database
        )
        return try await page(found, for: account, limit: limit)
    }

    /// What somebody likes, the latest like first.
    ///
    /// - Parameter kind: 1, or 2 for Seoul Culture's second kind of likes.
    func liked(
        by account: Int64,
        kind: Int16 = 1,
        of categories: [String],
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<Post> {
        let found = try await store.liked(
            by: account,
            kind: kind,
            of: categories,
            after: cursor,
            limit: limit + 1,
            database
        )
        return try await page(found, for: account, limit: limit)
    }

    /// Shows what a list has found. What somebody may not see is left out, so a page may be shorter than asked for.
    func page(_ found: [PostStore.Found], for account: Int64, limit: Int) async throws -> Page<Post> {
        let page = Page(found, limit: limit)
        return Page(try await posts(page.items, for: account), next: page.next)
    }
}
