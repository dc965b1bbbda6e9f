import Contracts
import Events
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit

/// Creating, reading, matching and deleting companion posts (With Suhyeon contract 4.3). `Companions+lists.swift` has
/// the lists.
struct Companions: Sendable {
    let database: PostgresClient
    let people: People
    /// For blocked phone numbers.
    let auth: InternalClient
    let chatRooms: WithSuhyeonChatRooms
    let memberCount: MemberCount
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
        self.chatRooms = WithSuhyeonChatRooms(chat: chat)
        self.memberCount = MemberCount(database: database, now: now)
        self.now = now
        self.outbox = outbox
    }

    /// Creates a post, unless one with the same author and key exists.
    ///
    /// - Throws: `PersonUnknown`.
    func create(_ draft: CompanionDraft, by account: AccountID) async throws {
        try await people.person(account)
        try await database.transaction(key: "account \(account)") { transaction in
            try people.lock(account, in: transaction)
            try await store.insert(draft, by: account, transaction)
        }
    }

    /// A post from the view of one user.
    struct View: Sendable {
        var post: CompanionPost
        var author: Person
        var isExpired: Bool
        /// The chat room of the viewer and the author; nil for the author, and when there is none.
        var room: ChatAPI.Room?
    }

    /// - Throws: `CompanionError.postNotFound`.
    func post(_ id: CompanionPostID, for account: AccountID) async throws -> View {
        guard let (post, author) = try await store.post(id, for: account, in: database) else {
            throw CompanionError.postNotFound
        }
        let room = post.author == account ? nil : await chatRooms.room(on: id, of: account)
        return View(post: post, author: author, isExpired: post.isExpired(at: now()), room: room)
    }

    /// Sets whether the author has found a companion.
    ///
    /// - Throws: `CompanionError.postNotFound`, `.notYours`.
    func setMatched(_ isMatched: Bool, _ id: CompanionPostID, by account: AccountID) async throws {
        try await database.transaction(key: "companion post \(id)") { transaction in
            try await own(id, of: account, transaction)
            try await store.setMatched(isMatched, id, in: transaction)
        }
    }

    /// Deletes a post and publishes `CommunityEvents.CompanionPostDeleted`.
    ///
    /// - Throws: `CompanionError.postNotFound`, `.notYours`.
    func delete(_ id: CompanionPostID, by account: AccountID) async throws {
        try await database.transaction(key: "companion post \(id)") { transaction in
            try await own(id, of: account, transaction)
            try await store.delete(id, in: transaction)
            try await reports.forget(id, in: transaction)
            try outbox.publish(CommunityEvents.CompanionPostDeleted(post: id), in: transaction)
        }
    }

    /// Locks a post and checks that it is the caller's.
    private func own(_ id: CompanionPostID, of account: AccountID, _ transaction: PostgresTransaction) async throws {
        guard let author = try await store.lock(id, transaction) else { throw CompanionError.postNotFound }
        guard author == account else { throw CompanionError.notYours }
    }
}
