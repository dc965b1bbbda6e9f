import Contracts
import FoundationEssentials
import InternalClient
import Outbox
import People
import Postgres

/// Companion posts: made, looked at, matched, taken back (With Suhyeon contract 4.3). `Companions+lists.swift` has the lists.
struct Companions: Sendable {
    let database: PostgresClient
    let people: People
    /// Knows who blocks whom.
    let auth: InternalClient
    let talks: CompanionTalks
    let headcount: Headcount
    let now: @Sendable () -> Date
    let store = CompanionPostStore()
    private let reports = ReportStore()
    private let outbox: Outbox

    init(
        database: PostgresClient,
        people: People,
        outbox: Outbox,
        auth: InternalClient,
        chat: InternalClient?,
        now: @escaping @Sendable () -> Date
    ) {
        self.database = database
        self.people = people
        self.auth = auth
        self.talks = CompanionTalks(chat: chat)
        self.headcount = Headcount(database: database, now: now)
        self.now = now
        self.outbox = outbox
    }

    /// Publishes a post, unless its author has published it before under the same key.
    ///
    /// - Throws: `PersonUnknown`.
    func create(_ draft: CompanionDraft, by account: Int64) async throws {
        try await people.person(account)
        try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            try await store.insert(draft, by: account, transaction)
        }
    }

    /// A post as somebody sees it.
    struct View: Sendable {
        var post: CompanionPost
        var author: Person
        var isExpired: Bool
        /// Where they have talked with the author; nil for the author, and for who has not.
        var room: ChatAPI.Room?
    }

    /// - Throws: `CompanionError.postNotFound`.
    func post(_ id: Int64, for account: Int64) async throws -> View {
        guard let (post, author) = try await store.post(id, for: account, in: database) else {
            throw CompanionError.postNotFound
        }
        let room = post.author == account ? nil : await talks.room(on: id, of: account)
        return View(post: post, author: author, isExpired: post.isExpired(at: now()), room: room)
    }

    /// Says whether the author has found somebody.
    ///
    /// - Throws: `CompanionError.postNotFound`, `.notYours`.
    func setMatched(_ isMatched: Bool, _ id: Int64, by account: Int64) async throws {
        try await database.transaction { transaction in
            try await own(id, of: account, transaction)
            try await store.setMatched(isMatched, id, in: transaction)
        }
    }

    /// Takes a post back; chat hears of it.
    ///
    /// - Throws: `CompanionError.postNotFound`, `.notYours`.
    func delete(_ id: Int64, by account: Int64) async throws {
        try await database.transaction { transaction in
            try await own(id, of: account, transaction)
            try await store.delete(id, in: transaction)
            try await reports.forget(ReportSubject.companionPosts, id, in: transaction)
            try await outbox.publish(CommunityEvents.CompanionPostDeleted(post: id), in: transaction)
        }
    }

    /// Makes sure of a post of the caller's, which nobody else changes meanwhile.
    private func own(_ id: Int64, of account: Int64, _ transaction: PostgresTransaction) async throws {
        guard let author = try await store.lock(id, transaction) else { throw CompanionError.postNotFound }
        guard author == account else { throw CompanionError.notYours }
    }
}
