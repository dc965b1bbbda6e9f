import Contracts
import Files
import Postgres
import Profiles

/// Files of posts. An upload expires after a day unless a post refers to it.
struct Attachments: Sendable {
    let uploads: Uploads
    let people: People
    private let store = UploadStore()
    private let posts = PostStore()

    /// Maximum number of one user's uploads that no post refers to yet.
    static let waitingLimit = 50
    /// Maximum number of files per form.
    static let formLimit = 5
    /// Bytes per file: 5 MiB (Anlaka contract 4.6, Culture contract 6).
    static let sizeLimit = 5 * 1024 * 1024

    /// An app's accepted types and path prefix.
    static func rules(of app: App) -> UploadRules {
        switch app {
        case .anlaka:
            let types: Set<FileType> = [.mp4, .mov, .avi, .matroska, .wmv, .pdf]
            return UploadRules(limit: sizeLimit, types: types.union(Set.pictures), prefix: CommunityAPI.File.prefix)
        default:
            // Without a leading slash: the app adds one (Culture contract 1).
            return UploadRules(limit: sizeLimit, types: .pictures, prefix: "uploads/posts/")
        }
    }

    /// Stores the files of a form.
    ///
    /// - Returns: The paths, in the order of the files.
    /// - Throws: `PersonUnknown`; no file is stored then.
    func keep(_ files: [IncomingFile], in app: App, by account: AccountID) async throws -> [String] {
        try await keep(files, by: account).map { Self.rules(of: app).path($0.name) }
    }

    /// Stores the files of a form.
    ///
    /// - Returns: The uploads, in the order of the files.
    func keep(_ files: [IncomingFile], by account: AccountID) async throws -> [Upload] {
        do {
            try await people.person(account)
        } catch {
            uploads.discard(files)
            throw error
        }
        return try await uploads.keep(files, by: account) { transaction in
            try people.lock(account, in: transaction)
        }
    }

    /// A file of an app and its content; nil when it does not exist.
    func open(_ name: String, in app: App) async throws -> (upload: Upload, file: any StoredFile)? {
        guard let upload = try await uploads.upload(named: name), let file = try await uploads.open(upload),
            try await people.app(of: upload.account) == app
        else { return nil }
        return (upload, file)
    }
}

extension Attachments {
    /// The upload names in paths.
    ///
    /// - Throws: `CommunityError.rule` for a path that is not an upload's, and for duplicates.
    func names(_ paths: [String], in app: App) throws -> [String] {
        let names = paths.compactMap(Self.rules(of: app).name(in:))
        guard Set(names).count == paths.count else { throw CommunityError.rule(Self.foreign) }
        return names
    }

    /// Records that a post refers to files, which keeps them for as long as the post exists.
    ///
    /// - Throws: `CommunityError.rule` when a file is not an upload of the author or no longer exists.
    func refer(to names: [String], of account: AccountID, _ transaction: PostgresTransaction) async throws {
        guard !names.isEmpty else { return }
        let found = try await store.refer(to: Set(names), of: account, in: transaction)
        guard found.count == names.count else { throw CommunityError.rule(Self.foreign) }
    }

    static let foreign = "files must be paths of uploads of the author that are still there, each once."

    /// Lets files of a user's removed posts expire, except those that another post of the user refers to.
    func release(_ names: [String], of account: AccountID, _ transaction: PostgresTransaction) async throws {
        guard !names.isEmpty else { return }
        // Serializes concurrent removals: the second one sees that the first post no longer refers to the file.
        try await store.lock(names, of: account, in: transaction)
        let named = try await posts.files(of: account, among: names, in: transaction)
        try await store.expire(names.filter { !named.contains($0) }, of: account, in: transaction)
    }

    /// Lets all uploads of a withdrawn account expire, except those that its posts refer to.
    func letGoOfAll(of account: AccountID, _ transaction: PostgresTransaction) async throws {
        let named = try await posts.files(of: account, in: transaction)
        try await store.expireAll(of: account, except: named, in: transaction)
    }
}
