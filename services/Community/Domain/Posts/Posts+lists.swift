import Contracts
import Profiles
import ServiceKit

extension Posts {
    /// The posts of an app, or of some categories, newest first.
    func newest(
        in app: App,
        of categories: [String],
        for account: AccountID,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<Post> {
        let found = try await store.newest(in: app, of: categories, after: cursor, limit: limit + 1, database)
        return try await page(found, for: account, limit: limit)
    }

    /// The posts of an author, newest first; empty for an unknown one.
    ///
    /// - Parameter author: Public ID; nil for a text that is none.
    func written(
        by author: PublicID?,
        in app: App,
        of categories: [String],
        for account: AccountID,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<Post> {
        guard let author, let author = try await people.account(publicID: author, of: app) else {
            return Page([], next: .end)
        }
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

    /// The liked posts of an account, latest like first.
    ///
    /// - Parameter kind: 1, or 2 for Seoul Culture's second kind of likes.
    func liked(
        by account: AccountID,
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

    /// Reads the posts of a page. Hidden ones are left out, so a page may be shorter than `limit`.
    func page(_ found: [PostStore.Found], for account: AccountID, limit: Int) async throws -> Page<Post> {
        let page = Page(found, limit: limit)
        return Page(try await posts(page.items, for: account), next: page.next)
    }
}
