import Contracts
import FoundationEssentials
import Paging
import People
import Postgres

/// What people say of listings: comments, and answers to these, which have none themselves (Anlaka contract 4.6).
struct Comments: Sendable {
    let database: PostgresClient
    let people: People
    private let store = CommentStore()
    private let listings = ListingStore()

    init(database: PostgresClient, people: People) {
        self.database = database
        self.people = people
    }

    /// So many answers are shown to each comment, the oldest.
    static let replyLimit = 50

    /// Says something. What its author has said before under the same key is answered as it is.
    ///
    /// - Throws: `EstateError.rule`, also for a parent that is an answer itself or is said of another listing;
    ///   `.listingNotFound`, `PersonUnknown`.
    func create(_ draft: CommentDraft, on listing: String, by account: Int64) async throws -> Comment {
        try draft.check()
        guard PublicID.isOne(listing) else { throw EstateError.listingNotFound }
        try await people.person(account)
        let publicID = PublicID.random()
        return try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            guard let listing = try await listings.hold(listing, in: transaction) else {
                throw EstateError.listingNotFound
            }
            let parent = try await parent(draft.parentID, on: listing, in: transaction)
            let comment = try await store.insert(
                draft,
                publicID: publicID,
                on: listing,
                answering: parent,
                by: account,
                in: transaction
            )
            guard let comment else { throw EstateError.rule("Idempotency-Key was used for a comment elsewhere.") }
            return comment
        }
    }

    private func parent(
        _ publicID: String?,
        on listing: Int64,
        in transaction: PostgresTransaction
    ) async throws -> Int64? {
        guard let publicID else { return nil }
        guard PublicID.isOne(publicID),
            let parent = try await store.holdParent(publicID, on: listing, in: transaction)
        else { throw EstateError.rule("parent_comment_id must be a comment of this estate that answers none.") }
        return parent
    }

    /// Says it otherwise.
    ///
    /// - Throws: `EstateError.rule`, `.commentNotFound`, `.notYours`.
    func change(_ publicID: String, on listing: String, to content: String, by account: Int64) async throws -> Comment {
        try Comment.check(content)
        guard PublicID.isOne(publicID), PublicID.isOne(listing) else { throw EstateError.commentNotFound }
        let comment = try await store.update(publicID, on: listing, to: content, by: account, in: database)
        guard let comment else { throw try await refusal(publicID, on: listing) }
        return comment
    }

    /// Takes it back, and what was answered to it.
    ///
    /// - Throws: `EstateError.commentNotFound`, `.notYours`.
    func delete(_ publicID: String, on listing: String, by account: Int64) async throws {
        guard PublicID.isOne(publicID), PublicID.isOne(listing) else { throw EstateError.commentNotFound }
        guard try await store.delete(publicID, on: listing, by: account, in: database) else {
            throw try await refusal(publicID, on: listing)
        }
    }

    /// Why somebody may not touch a comment.
    private func refusal(_ publicID: String, on listing: String) async throws -> EstateError {
        try await store.exists(publicID, on: listing, in: database) ? .notYours : .commentNotFound
    }

    /// What was said of a listing, the newest first.
    ///
    /// - Throws: `EstateError.listingNotFound`.
    func page(on listing: String, after cursor: PageCursor?, limit: Int) async throws -> Page<CommentThread> {
        guard PublicID.isOne(listing), let listing = try await listings.id(listing, in: database) else {
            throw EstateError.listingNotFound
        }
        let found = try await store.comments(on: listing, after: cursor, limit: limit + 1, in: database)
        let page = Page(found.map { ($0, PageCursor($0.createdAt, $0.id)) }, limit: limit)
        let replies = try await store.replies(to: page.items.map(\.id), limit: Self.replyLimit, in: database)
        let threads = page.items.map { CommentThread(comment: $0, replies: replies[$0.id] ?? []) }
        return Page(threads, next: page.next)
    }
}
