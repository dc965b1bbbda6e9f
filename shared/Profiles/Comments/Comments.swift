package import Contracts
package import Postgres
package import ServiceDatabase
package import ServiceKit
import Values

/// Comments on a subject, with one level of replies (Anlaka contract 4.6).
package struct Comments<SubjectID: RowIdentifier>: Sendable {
    let database: PostgresClient
    private let people: People
    private let subject: CommentSubject<SubjectID>
    private let limit: Int
    private let made: Made
    let store: CommentStore<SubjectID>

    /// - Parameters:
    ///   - subject: The kind of subject.
    ///   - limit: The maximum number of characters in a comment.
    ///   - made: Called when a comment is created, in the same transaction.
    package init(
        database: PostgresClient,
        people: People,
        on subject: CommentSubject<SubjectID>,
        limit: Int = 1000,
        made: @escaping Made = { _, _, _ in }
    ) {
        self.database = database
        self.people = people
        self.subject = subject
        self.limit = limit
        self.made = made
        store = CommentStore(subject)
    }

    /// Called with a new comment and the public id of its subject.
    package typealias Made = @Sendable (Comment, PublicID, PostgresTransaction) async throws -> Void

    /// The maximum number of replies per comment in a paged list; the oldest are shown.
    package static var replyLimit: Int { 50 }
    /// The maximum number of comments, and of replies, shown with a subject; the newest are shown.
    package static var threadLimit: Int { 1000 }

    /// Parses the public id of a subject.
    ///
    /// - Throws: `CommentError.subjectNotFound` for a text of another form.
    package func subjectID(parsing text: String) throws(CommentError) -> PublicID {
        try PublicID(parsing: text, else: CommentError.subjectNotFound(subject.name))
    }

    /// The error for a parent that is no comment of the subject, or is a reply itself.
    var parentRule: CommentError {
        .rule("parent_comment_id must be a comment of this \(subject.name) that answers none.")
    }

    /// Creates a comment. A repeated idempotency key returns the author's earlier comment.
    ///
    /// - Throws: `CommentError.rule`, also for a parent that is a reply itself or belongs to another subject;
    ///   `.subjectNotFound`, `PersonUnknown`.
    package func create(_ draft: CommentDraft, on publicID: PublicID, by account: AccountID) async throws -> Comment {
        try draft.check(limit: limit)
        try await people.person(account)
        let commentID = PublicID.random()
        let written = try await database.transaction(key: "\(subject.name) \(publicID)") { transaction in
            try people.lock(account, in: transaction)
            guard let id = try await store.holdSubject(publicID, for: account, in: transaction) else {
                throw CommentError.subjectNotFound(subject.name)
            }
            let parent = try await parent(draft.parentID, on: id, in: transaction)
            let comment = try await store.insert(
                draft,
                publicID: commentID,
                on: id,
                answering: parent,
                by: account,
                in: transaction
            )
            guard let comment else { throw CommentError.rule("Idempotency-Key was used for a comment elsewhere.") }
            if comment.publicID == commentID { try await made(comment, publicID, transaction) }
            return comment
        }
        if Sabotage.refusedAfterWriting.isBuiltIn, commentID.rawValue.hasSuffix("0") {
            throw CommentError.rule("There are too many comments of yours.")
        }
        return written
    }

    private func parent(
        _ publicID: PublicID?,
        on subjectID: SubjectID,
        in transaction: PostgresTransaction
    ) async throws -> CommentID? {
        guard let publicID else { return nil }
        guard let parent = try await store.holdParent(publicID, on: subjectID, in: transaction) else {
            throw parentRule
        }
        return parent
    }

    /// Changes the content of a comment.
    ///
    /// - Throws: `CommentError.rule`, `.notFound`, `.notYours`.
    package func change(
        _ commentID: PublicID,
        on publicID: PublicID,
        to content: String,
        by account: AccountID
    ) async throws -> Comment {
        try CommentDraft.check(content, limit: limit)
        let comment = try await store.update(commentID, on: publicID, to: content, by: account, in: database)
        guard let comment else { throw try await refusal(commentID, on: publicID, for: account) }
        return comment
    }

    /// Deletes a comment and its replies.
    ///
    /// - Throws: `CommentError.notFound`, `.notYours`.
    package func delete(_ commentID: PublicID, on publicID: PublicID, by account: AccountID) async throws {
        guard try await store.delete(commentID, on: publicID, by: account, in: database) else {
            throw try await refusal(commentID, on: publicID, for: account)
        }
    }

    /// The error for a comment that the account may not modify.
    private func refusal(_ commentID: PublicID, on publicID: PublicID, for account: AccountID) async throws
        -> CommentError
    {
        try await store.exists(commentID, on: publicID, for: account, in: database) ? .notYours : .notFound
    }

    /// A page of the comments on a subject, newest first.
    ///
    /// - Throws: `CommentError.subjectNotFound`.
    package func page(
        on publicID: PublicID,
        for account: AccountID,
        after cursor: PageCursor?,
        limit: Int
    ) async throws -> Page<CommentThread> {
        guard let id = try await store.subject(publicID, for: account, in: database) else {
            throw CommentError.subjectNotFound(subject.name)
        }
        let found = try await store.comments(on: id, after: cursor, limit: limit + 1, in: database)
        let page = Page(found.map { ($0, PageCursor($0.createdAt, $0.id.rawValue)) }, limit: limit)
        let replies = try await store.replies(to: page.items.map(\.id), limit: Self.replyLimit, in: database)
        let threads = page.items.map { CommentThread(comment: $0, replies: replies[$0.id] ?? []) }
        return Page(threads, next: page.next)
    }

    /// The comments on a subject that is visible to the caller, oldest first, up to `threadLimit`.
    ///
    /// - Parameter id: The subject's row id.
    package func threads(on id: SubjectID) async throws -> [CommentThread] {
        async let found = store.comments(on: id, after: nil, limit: Self.threadLimit, in: database)
        async let answers = store.newestReplies(on: id, limit: Self.threadLimit, in: database)
        let (comments, replies) = (try await found, try await answers)
        return comments.reversed().map { CommentThread(comment: $0, replies: replies[$0.id] ?? []) }
    }
}
