import Contracts
import FoundationEssentials
import Postgres
import Profiles
import ServiceDatabase
import Values

/// SQL of single posts. `PostStore+pages.swift` has the lists.
struct PostStore: Sendable {
    /// - Returns: The ID of the new post, or of the existing one with the same author and key.
    func insert(
        _ draft: PostDraft,
        publicID: PublicID,
        files: [String],
        in app: App,
        by account: AccountID,
        _ transaction: PostgresTransaction
    ) async throws -> (id: PostID, isNew: Bool) {
        try await transaction.one(
            """
            INSERT INTO posts (public_id, app, author_id, request_key, category, title, content, notes, price, files,
                hashtags, latitude, longitude, title_key)
            VALUES (\(publicID), \(app), \(account), \(draft.requestKey), \(draft.category), \(draft.title),
                \(draft.content), \(PostgresJSON(draft.notes ?? [:])), \(draft.price), \(files), \(draft.hashtags),
                \(draft.place?.latitude), \(draft.place?.longitude),
                \(app == .anlaka ? draft.title.map { TitleKey($0).text } : nil))
            ON CONFLICT (author_id, request_key) DO UPDATE SET request_key = excluded.request_key
            RETURNING id, xmax = 0
            """
        ) { try $0.decode(as: (PostID, Bool).self) }
    }

    /// Updates a post. Nil fields do not change.
    func update(
        _ id: PostID,
        _ draft: PostDraft,
        files: [String],
        at now: Date,
        in transaction: PostgresTransaction
    ) async throws {
        let hashtags = draft.content.map { _ in draft.hashtags }
        try await transaction.execute(
            """
            UPDATE posts SET category = coalesce(\(draft.category), category), title = coalesce(\(draft.title), title),
                content = coalesce(\(draft.content), content), notes = notes || \(PostgresJSON(draft.notes ?? [:])),
                price = coalesce(\(draft.price), price), files = \(files), hashtags = coalesce(\(hashtags), hashtags),
                latitude = coalesce(\(draft.place?.latitude), latitude),
                longitude = coalesce(\(draft.place?.longitude), longitude), updated_at = \(now),
                title_key = CASE WHEN app = 'anlaka' THEN coalesce(\(draft.title.map { TitleKey($0).text }), title_key) END
            WHERE id = \(id)
            """
        )
    }

    func delete(_ id: PostID, in transaction: PostgresTransaction) async throws {
        try await transaction.execute("DELETE FROM posts WHERE id = \(id)")
    }

    /// A post, which is locked until the transaction ends.
    func lock(
        _ publicID: PublicID,
        in app: App,
        _ transaction: PostgresTransaction
    ) async throws -> (id: PostID, author: AccountID, files: [String])? {
        try await transaction.optional(
            """
            SELECT id, author_id, files FROM posts WHERE public_id = \(publicID) AND app = \(app) FOR NO KEY UPDATE
            """
        ) { try $0.decode(as: (PostID, AccountID, [String]).self) }
    }

    /// The ID of a visible post.
    func id(_ publicID: PublicID, in app: App, for account: AccountID, _ database: some Querying) async throws
        -> PostID?
    {
        try await database.optional(Self.id(publicID, in: app, for: account)) { try $0.decode(PostID.self) }
    }

    private static func id(_ publicID: PublicID, in app: App, for account: AccountID) -> SQL {
        """
        SELECT t.id FROM posts t
        WHERE t.public_id = \(publicID) AND t.app = \(app) AND \(isVisible(to: account))
        """
    }

    /// The condition of posts `t` that are visible to an account.
    static func isVisible(to account: AccountID) -> SQL {
        ReportStore.isVisible(.post, to: account)
    }

    /// The visible posts with these IDs, in no particular order.
    func posts(_ ids: [PostID], for account: AccountID, in database: some Querying) async throws -> [Post] {
        try await database.all(
            """
            SELECT t.id, t.public_id, t.app, \(PersonStore.columns), t.category, t.title, t.content, t.notes, t.price,
                t.files, t.hashtags, t.latitude, t.longitude, \(LikeCounts.posts.count(of: "t")),
                EXISTS (SELECT FROM likes k WHERE k.post_id = t.id AND k.kind = 1 AND k.account_id = \(account)),
                t.created_at, t.updated_at
            FROM posts t JOIN people p ON p.account_id = t.author_id
            WHERE t.id = ANY(\(ids)) AND \(Self.isVisible(to: account))
            """
        ) { try $0.decode { try Post(&$0) } }
    }

    /// The names of the files of an account's posts.
    func files(of account: AccountID, in transaction: PostgresTransaction) async throws -> Set<String> {
        let names = try await transaction.all(
            "SELECT DISTINCT unnest(files) FROM posts WHERE author_id = \(account)"
        ) { try $0.decode(String.self) }
        return Set(names)
    }

    /// The files among `names` that an account's posts refer to.
    func files(
        of account: AccountID,
        among names: [String],
        in transaction: PostgresTransaction
    ) async throws -> Set<String> {
        let found = try await transaction.all(
            "SELECT DISTINCT unnest(files) FROM posts WHERE author_id = \(account) AND files && \(names)"
        ) { try $0.decode(String.self) }
        return Set(found)
    }
}

extension Post {
    fileprivate init(_ columns: inout Columns) throws {
        self.init(
            id: try columns.next(),
            publicID: try columns.next(),
            app: try columns.next(),
            author: try Person(&columns),
            category: try columns.next(),
            title: try columns.next(),
            content: try columns.next(),
            notes: try columns.next(PostgresJSON<[String: String]>.self).value,
            price: try columns.next(),
            files: try columns.next(),
            hashtags: try columns.next(),
            place: try Coordinate(&columns),
            likeCount: try columns.next(),
            isLiked: try columns.next(),
            createdAt: try columns.next(),
            updatedAt: try columns.next()
        )
    }
}

extension Coordinate {
    /// Reads a latitude and a longitude; nil when one is NULL.
    fileprivate init?(_ columns: inout Columns) throws {
        let (latitude, longitude) = (try columns.next(Double?.self), try columns.next(Double?.self))
        guard let latitude, let longitude else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
