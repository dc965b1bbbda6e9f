import Files
import People
import Postgres
import Uploads

/// Pictures that people of With Suhyeon show: added, listed, looked at, taken back (contract 4.5).
struct Gallery: Sendable {
    let attachments: Attachments
    private let database: PostgresClient
    private let people: People
    private let store = GalleryStore()
    private let uploads = UploadStore()
    private let reports = ReportStore()

    /// What somebody has shown is listed so far.
    static let ownLimit = 1000

    /// Up to 10 MiB, of types whose metadata can be taken out. The names are told as whole addresses, which anybody may open.
    let rules: UploadRules

    /// - Parameter publicURL: where phones reach the gateway.
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

    /// Shows a picture that has come in, unless its author has done so before under the same key. A picture that is not shown
    /// in the end is let go of.
    ///
    /// - Throws: `PersonUnknown`; nothing is kept then.
    func add(_ draft: GalleryDraft, _ picture: IncomingFile, by account: Int64) async throws {
        guard let name = try await attachments.keep([picture], by: account).first?.name else { return }
        try await database.transaction { transaction in
            try await people.lock(account, in: transaction)
            guard try await store.insert(draft, picture: name, by: account, transaction) else { return }
            guard try await !uploads.refer(to: [name], of: account, in: transaction).isEmpty else {
                throw CommunityError.rule("image has given way to many others that were sent meanwhile.")
            }
        }
    }

    /// Pictures of a category or all that somebody may see, the newest first.
    ///
    /// - Parameter cursor: only those before the one of this id.
    func items(
        of category: GalleryCategory?,
        for account: Int64,
        before cursor: Int64?,
        limit: Int
    ) async throws -> [GalleryItem] {
        try await store.newest(of: category, for: account, before: cursor, limit: limit, database)
    }

    /// What somebody shows, the newest first.
    func items(by account: Int64) async throws -> [GalleryItem] {
        try await store.items(by: account, limit: Self.ownLimit, database)
    }

    /// A picture and who shows it.
    ///
    /// - Throws: `GalleryError.itemNotFound`.
    func item(_ id: Int64, for account: Int64) async throws -> (GalleryItem, Person) {
        guard let found = try await store.item(id, for: account, in: database) else {
            throw GalleryError.itemNotFound
        }
        return found
    }

    /// Takes a picture back; it is served no more.
    ///
    /// - Throws: `GalleryError.itemNotFound`, `.notYours`.
    func delete(_ id: Int64, by account: Int64) async throws {
        try await database.transaction { transaction in
            guard let (author, picture) = try await store.lock(id, transaction) else { throw GalleryError.itemNotFound }
            guard author == account else { throw GalleryError.notYours }
            try await store.delete(id, in: transaction)
            try await reports.forget(ReportSubject.galleryItems, id, in: transaction)
            try await uploads.expire([picture], of: account, in: transaction)
        }
    }
}
