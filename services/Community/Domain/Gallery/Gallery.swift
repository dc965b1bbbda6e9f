import Contracts
import Files
import Postgres
import Profiles

/// Gallery pictures of With Suhyeon: adding, listing, reading, deleting (contract 4.5).
struct Gallery: Sendable {
    let attachments: Attachments
    private let database: PostgresClient
    private let people: People
    private let store = GalleryStore()
    private let uploads = UploadStore()
    private let reports = ReportStore()

    /// Maximum length of an author's own list.
    static let ownLimit = 1000

    /// Up to 10 MiB, of types whose metadata can be removed. The prefix is a public URL.
    let rules: UploadRules

    /// - Parameter publicURL: The gateway's URL for clients.
    init(database: PostgresClient, people: People, attachments: Attachments, publicURL: String) {
        self.database = database
        self.people = people
        self.attachments = attachments
        self.rules = UploadRules(
            limit: 10 * 1024 * 1024,
            types: .pictures,
            prefix: "\(publicURL)/api/v1/galleries/images/"
        )
    }

    /// Adds an uploaded picture, unless one with the same author and key exists. The upload expires if it is not used.
    ///
    /// - Throws: `PersonUnknown`; nothing is stored then.
    func add(_ draft: GalleryDraft, _ picture: IncomingFile, by account: AccountID) async throws {
        guard let name = try await attachments.keep([picture], by: account).first?.name else { return }
        try await database.transaction(key: "account \(account)") { transaction in
            try people.lock(account, in: transaction)
            guard try await store.insert(draft, picture: name, by: account, transaction) else { return }
            guard try await !uploads.refer(to: [name], of: account, in: transaction).isEmpty else {
                throw CommunityError.rule("image has given way to many others that were sent meanwhile.")
            }
        }
    }

    /// The visible pictures of a category, or of all, newest first.
    ///
    /// - Parameter cursor: Only pictures with smaller IDs.
    func items(
        of category: GalleryCategory?,
        for account: AccountID,
        before cursor: GalleryItemID?,
        limit: Int
    ) async throws -> [GalleryItem] {
        try await store.newest(of: category, for: account, before: cursor, limit: limit, database)
    }

    /// The pictures of an account, newest first.
    func items(by account: AccountID) async throws -> [GalleryItem] {
        try await store.items(by: account, limit: Self.ownLimit, database)
    }

    /// A picture and its author.
    ///
    /// - Throws: `GalleryError.itemNotFound`.
    func item(_ id: GalleryItemID, for account: AccountID) async throws -> (GalleryItem, Person) {
        guard let found = try await store.item(id, for: account, in: database) else {
            throw GalleryError.itemNotFound
        }
        return found
    }

    /// Deletes a picture and its file.
    ///
    /// - Throws: `GalleryError.itemNotFound`, `.notYours`.
    func delete(_ id: GalleryItemID, by account: AccountID) async throws {
        try await database.transaction(key: "gallery item \(id)") { transaction in
            guard let (author, picture) = try await store.lock(id, transaction) else { throw GalleryError.itemNotFound }
            guard author == account else { throw GalleryError.notYours }
            try await store.delete(id, in: transaction)
            try await reports.forget(id, in: transaction)
            try await uploads.expire([picture], of: account, in: transaction)
        }
    }
}
