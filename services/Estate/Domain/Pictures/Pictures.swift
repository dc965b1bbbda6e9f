import Contracts
import Files
import NIOCore
import Postgres
import Profiles

/// Pictures of listings: uploads, downloads and expiry.
struct Pictures: Sendable {
    let uploads: Uploads
    let people: People
    let fetch: @Sendable (String, AccountID) async throws -> ByteBuffer?
    private let store = UploadStore()

    /// Maximum number of an account's uploads that no listing refers to; the oldest are removed.
    static let waitingLimit = 100
    /// Maximum number of files per form (Anlaka contract 2.6, call 39).
    static let formLimit = 5
    static let rules = UploadRules(limit: 5 << 20, types: .pictures, prefix: "/data/estates/")

    /// Stores pictures, which expire after a day unless a listing refers to them.
    ///
    /// - Returns: The paths, in the order of the files.
    /// - Throws: `PersonUnknown`.
    func keep(_ files: [IncomingFile], by account: AccountID) async throws -> [String] {
        do {
            try await people.person(account)
        } catch {
            uploads.discard(files)
            throw error
        }
        let kept = try await uploads.keep(files, by: account) { transaction in
            try people.lock(account, in: transaction)
        }
        return kept.map { Self.rules.path($0.name) }
    }

    /// A picture and its content; nil when it does not exist.
    func open(_ name: String) async throws -> (upload: Upload, file: any StoredFile)? {
        guard let upload = try await uploads.upload(named: name), let file = try await uploads.open(upload) else {
            return nil
        }
        return (upload, file)
    }
}

extension Pictures {
    /// Records that listings refer to pictures, which keeps them for as long as the listings exist.
    ///
    /// - Parameter paths: The listings' thumbnails.
    /// - Returns: The paths that are not existing uploads of the account.
    func refer(to paths: [String], of account: AccountID, in transaction: PostgresTransaction) async throws -> Set<
        String
    > {
        let names = Set(paths.compactMap(Self.rules.name(in:)))
        guard !paths.isEmpty else { return [] }
        let found = try await store.refer(to: names, of: account, in: transaction)
        return Set(paths).subtracting(found.map(Self.rules.path))
    }

    /// Lets an account's pictures expire, except those that its listings still refer to.
    func release(of account: AccountID, except paths: [String], in transaction: PostgresTransaction) async throws {
        let names = Set(paths.compactMap(Self.rules.name(in:)))
        try await store.expireAll(of: account, except: names, in: transaction)
    }
}
