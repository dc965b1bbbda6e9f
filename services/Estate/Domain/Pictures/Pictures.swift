import Contracts
import Files
import NIOCore
import People
import Postgres
import Uploads

/// Pictures of listings: they come in, are served, and go when no listing names them any more.
struct Pictures: Sendable {
    let uploads: Uploads
    let people: People
    let fetch: @Sendable (String, Int64) async throws -> ByteBuffer?
    private let store = UploadStore()

    /// So many uploads of one person may wait for a listing that names them; the oldest give way.
    static let waitingLimit = 100
    /// So many come in one form (Anlaka contract 2.6, call 39).
    static let formLimit = 5
    static let rules = UploadRules(limit: 5 << 20, types: .pictures, prefix: "/data/estates/")

    /// - Parameter fetch: the bytes of a file that somebody has sent for a post, by its name and their account; nil for what is
    ///   not theirs, or gone.
    init(
        uploads: Uploads,
        people: People,
        fetch: @escaping @Sendable (String, Int64) async throws -> ByteBuffer?
    ) {
        self.uploads = uploads
        self.people = people
        self.fetch = fetch
    }

    /// Keeps pictures, for a day unless a listing names them by then.
    ///
    /// - Returns: their paths, in the order of the files.
    /// - Throws: `PersonUnknown`.
    func keep(_ files: [IncomingFile], by account: Int64) async throws -> [String] {
        do {
            try await people.person(account)
        } catch {
            uploads.discard(files)
            throw error
        }
        let kept = try await uploads.keep(files, by: account) { transaction in
            try await people.lock(account, in: transaction)
        }
        return kept.map { Self.rules.path($0.name) }
    }

    /// A picture and its bytes; nil for what is not there.
    func open(_ name: String) async throws -> (upload: Upload, file: any StoredFile)? {
        guard let upload = try await uploads.upload(named: name), let file = try await uploads.open(upload) else {
            return nil
        }
        return (upload, file)
    }
}

extension Pictures {
    /// Notes that listings of somebody name pictures, which stay as long as the listings do.
    ///
    /// - Parameter paths: as the app knows them.
    /// - Returns: those that are no uploads of theirs, or are gone.
    func refer(to paths: [String], of account: Int64, in transaction: PostgresTransaction) async throws -> Set<String> {
        let names = Set(paths.compactMap(Self.rules.name(in:)))
        guard !paths.isEmpty else { return [] }
        let found = try await store.refer(to: names, of: account, in: transaction)
        return Set(paths).subtracting(found.map(Self.rules.path))
    }

    /// Lets go of somebody's pictures, but for those that a listing of theirs still names.
    func letGo(of account: Int64, except paths: [String], in transaction: PostgresTransaction) async throws {
        let names = Set(paths.compactMap(Self.rules.name(in:)))
        try await store.expireAll(of: account, except: names, in: transaction)
    }
}
