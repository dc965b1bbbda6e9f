import Contracts
import Files
import People
import Postgres
import Uploads

/// Files that people send so that a post has them: waiting for a day, and then kept for as long as a post names them.
struct Attachments: Sendable {
    let uploads: Uploads
    let people: People
    private let store = UploadStore()
    private let posts = PostStore()

    init(uploads: Uploads, people: People) {
        self.uploads = uploads
        self.people = people
    }

    /// So many files of one person may wait for a post.
    static let waitingLimit = 50
    /// So many may come in one form.
    static let formLimit = 5
    /// Bytes of one file: 5 MiB (Anlaka contract 4.6, Culture contract 6).
    static let sizeLimit = 5 * 1024 * 1024

    /// What an app may send, and how it calls it.
    static func rules(of app: App) -> UploadRules {
        switch app {
        case .anlaka:
            let types: Set<FileType> = [.jpeg, .png, .gif, .webp, .mp4, .mov, .avi, .matroska, .wmv, .pdf]
            return UploadRules(limit: sizeLimit, types: types, prefix: CommunityAPI.File.prefix)
        default:
            // Without a slash before it: the app puts one there itself (Culture contract 1).
            return UploadRules(limit: sizeLimit, types: .pictures, prefix: "uploads/posts/")
        }
    }

    /// Keeps files of a form.
    ///
    /// - Returns: their paths, in the order of the files.
    /// - Throws: `PersonUnknown`; nothing is kept then.
    func keep(_ files: [IncomingFile], in app: App, by account: Int64) async throws -> [String] {
        try await keep(files, by: account).map { Self.rules(of: app).path($0.name) }
    }

    /// The same.
    ///
    /// - Returns: the uploads, in the order of the files.
    func keep(_ files: [IncomingFile], by account: Int64) async throws -> [Upload] {
        do {
            try await people.person(account)
        } catch {
            uploads.discard(files)
            throw error
        }
        return try await uploads.keep(files, by: account) { transaction in
            try await people.lock(account, in: transaction)
        }
    }

    /// A file and its bytes, for the phones of one app; nil for what is not there.
    func open(_ name: String, in app: App) async throws -> (upload: Upload, file: any StoredFile)? {
        guard let upload = try await uploads.upload(named: name), let file = try await uploads.open(upload),
            try await people.app(of: upload.account) == app
        else { return nil }
        return (upload, file)
    }
}

extension Attachments {
    /// The names in paths.
    ///
    /// - Throws: `CommunityError.rule` for paths of something else, or twice the same.
    func names(_ paths: [String], in app: App) throws -> [String] {
        let names = paths.compactMap(Self.rules(of: app).name(in:))
        guard Set(names).count == paths.count else { throw CommunityError.rule(Self.foreign) }
        return names
    }

    /// Notes that a post of somebody names files, which stay as long as it does.
    ///
    /// - Throws: `CommunityError.rule` when one is no upload of theirs, or is gone.
    func refer(to names: [String], of account: Int64, _ transaction: PostgresTransaction) async throws {
        guard !names.isEmpty else { return }
        let found = try await store.refer(to: Set(names), of: account, in: transaction)
        guard found.count == names.count else { throw CommunityError.rule(Self.foreign) }
    }

    static let foreign = "files must be paths of uploads of the author that are still there, each once."

    /// Lets go of files that a post of somebody has named, but for those that another post of theirs names.
    func letGo(_ names: [String], of account: Int64, _ transaction: PostgresTransaction) async throws {
        guard !names.isEmpty else { return }
        // Of two posts that go at the same time, the one that comes second sees that the first has gone.
        try await store.lock(names, of: account, in: transaction)
        let named = try await posts.files(of: account, among: names, in: transaction)
        try await store.expire(names.filter { !named.contains($0) }, of: account, in: transaction)
    }

    /// Lets go of what somebody has sent who has left, but for what their posts name.
    func letGoOfAll(of account: Int64, _ transaction: PostgresTransaction) async throws {
        let named = try await posts.files(of: account, in: transaction)
        try await store.expireAll(of: account, except: named, in: transaction)
    }
}
