import Contracts
import Files
import NIOCore
import Postgres

/// Pictures for profiles: they come in, are served, and go when no profile refers to them any more.
///
/// A row tells of a picture before its file is kept, and goes when the file is deleted: so whatever is interrupted, a file
/// without a row cannot be, and a row without a file is collected after a day.
struct ProfileImages: Sendable {
    let database: PostgresClient
    let store = UploadStore()
    let intake: FileIntake
    let files: any FileStore
    let rules: @Sendable (App) -> ProfileImageRules?

    /// So many uploads of one person may wait for a profile that refers to them; the oldest give way.
    static let waitingLimit = 10

    /// Makes the folders.
    ///
    /// - Throws: when they cannot be made or written.
    func prepare() async throws {
        try await intake.prepare()
    }

    /// Takes a picture in from a stream. Follow it by `keep` or `discard`.
    ///
    /// - Throws: `FilesError`.
    func receive<Bytes: AsyncSequence>(_ bytes: Bytes, app: App) async throws -> IncomingFile
    where Bytes.Element == ByteBuffer {
        guard let rules = rules(app) else { throw FilesError.type(nil) }
        return try await intake.receive(bytes, limit: rules.limit, types: rules.types)
    }

    func discard(_ file: IncomingFile) {
        intake.discard(file)
    }

    /// Keeps a picture, for a day unless a profile refers to it by then.
    ///
    /// - Returns: its path, as the app knows it.
    /// - Throws: `AccountError.accountGone`.
    func keep(_ file: IncomingFile, by account: Int64, app: App) async throws -> String {
        let upload = Upload(name: UploadName.random(file.type), file: file.id, type: file.type, size: file.size)
        do {
            try await database.transaction { transaction in
                try await store.expireOldest(of: account, keeping: Self.waitingLimit - 1, in: transaction)
                try await store.lock(file.id, in: transaction)
                try await store.insert(upload, by: account, app: app, in: transaction)
            }
            try await files.keep(file)
        } catch {
            intake.discard(file)
            throw error
        }
        return (rules(app)?.prefix ?? "") + upload.name
    }

    /// A picture and its bytes.
    ///
    /// - Throws: `AccountError.imageGone`.
    func open(_ name: String, app: App) async throws -> (upload: Upload, file: any StoredFile) {
        guard let upload = try await store.upload(named: name, app: app, in: database),
            let file = try await files.open(upload.file)
        else { throw AccountError.imageGone }
        return (upload, file)
    }

    /// Deletes the next picture that nobody refers to any more, and its file unless another upload has the same bytes.
    ///
    /// - Returns: whether there was one.
    func collectNext() async throws -> Bool {
        guard let name = try await store.nextExpired(in: database) else { return false }
        do {
            try await database.transaction { transaction in
                guard let file = try await store.deleteExpired(name, in: transaction) else { return }
                try await store.lock(file, in: transaction)
                guard try await !store.isReferred(file, in: transaction) else { return }
                try await files.delete(file)
            }
        } catch {
            // It comes up again later, and does not hold up the others.
            try await store.noteFailure(name, in: database)
            throw error
        }
        return true
    }
}
