import Contracts
import FoundationEssentials
import Postgres
import Profiles

/// Creating, changing, reading and deleting posts. `Posts+lists.swift` has the lists.
struct Posts: Sendable {
    let database: PostgresClient
    let people: People
    let attachments: Attachments
    let now: @Sendable () -> Date
    let store = PostStore()
    private let reports = ReportStore()

    /// Creates a post, or returns the one with the same author and key.
    ///
    /// - Throws: `CommunityError.rule`, also for files that are not the author's uploads; `PersonUnknown`.
    func create(_ draft: PostDraft, in app: App, by account: AccountID) async throws -> Post {
        try draft.check(for: app)
        try await people.person(account)
        let id = try await database.transaction(key: "account \(account)") { transaction in
            try people.lock(account, in: transaction)
            let files = try attachments.names(draft.files ?? [], in: app)
            let publicID = PublicID.random()
            let (id, isNew) = try await store.insert(
                draft,
                publicID: publicID,
                files: files,
                in: app,
                by: account,
                transaction
            )
            if isNew {
                try await attachments.refer(to: files, of: account, transaction)
                if app == .culture { try await store.tag(id, in: transaction) }
            }
            return id
        }
        // The author may have deleted the post meanwhile.
        guard let post = try await posts([id], for: account).first else { throw CommunityError.postNotFound }
        return post
    }

    /// Changes a post.
    ///
    /// - Throws: `CommunityError.rule`, `.postNotFound`, `.notYours`, `PersonUnknown`.
    func change(_ publicID: PublicID, to draft: PostDraft, in app: App, by account: AccountID) async throws -> Post {
        try draft.check(for: app)
        let id = try await database.transaction(key: "post \(publicID)") { transaction in
            try people.lock(account, in: transaction)
            let (id, files) = try await own(publicID, in: app, of: account, transaction)
            let new = try draft.files.map { try attachments.names($0, in: app) } ?? files
            try await store.update(id, draft, files: new, at: now(), in: transaction)
            if app == .culture { try await store.tag(id, in: transaction) }
            try await attachments.refer(to: new.filter { !files.contains($0) }, of: account, transaction)
            try await attachments.release(files.filter { !new.contains($0) }, of: account, transaction)
            return id
        }
        guard let post = try await posts([id], for: account).first else { throw CommunityError.postNotFound }
        return post
    }

    /// Deletes a post and its comments.
    ///
    /// - Throws: `CommunityError.postNotFound`, `.notYours`.
    func delete(_ publicID: PublicID, in app: App, by account: AccountID) async throws {
        try await database.transaction(key: "post \(publicID)") { transaction in
            let (id, files) = try await own(publicID, in: app, of: account, transaction)
            try await store.delete(id, in: transaction)
            try await reports.forget(id, in: transaction)
            try await attachments.release(files, of: account, transaction)
        }
    }

    /// A post from the view of an account.
    ///
    /// - Throws: `CommunityError.postNotFound`, also for a post of another app.
    func post(_ publicID: PublicID, in app: App, for account: AccountID) async throws -> Post {
        guard let id = try await store.id(publicID, in: app, for: account, database),
            let post = try await posts([id], for: account).first
        else { throw CommunityError.postNotFound }
        return post
    }

    /// Posts in the order of the IDs, without unknown and hidden ones.
    func posts(_ ids: [PostID], for account: AccountID) async throws -> [Post] {
        guard !ids.isEmpty else { return [] }
        let found = try await store.posts(ids, for: account, in: database)
        let byID = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
        return ids.compactMap { byID[$0] }
    }

    /// Locks a post and checks that it is the caller's.
    private func own(
        _ publicID: PublicID,
        in app: App,
        of account: AccountID,
        _ transaction: PostgresTransaction
    ) async throws -> (id: PostID, files: [String]) {
        guard let post = try await store.lock(publicID, in: app, transaction) else {
            throw CommunityError.postNotFound
        }
        guard post.author == account else { throw CommunityError.notYours }
        return (post.id, post.files)
    }
}
