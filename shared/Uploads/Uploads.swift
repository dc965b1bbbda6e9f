package import Files
package import NIOCore
package import Postgres

/// Files that people send: they come in, are served, and go when nothing refers to them any more.
///
/// A row tells of a file before its bytes are kept, and goes when they are deleted: so whatever is interrupted, bytes without
/// a row cannot be, and a row without bytes is collected after a day.
///
/// What refers to a file says so with `UploadStore`, in the transaction that makes it so.
package struct Uploads: Sendable {
    private let database: PostgresClient
    private let intake: FileIntake
    private let files: any FileStore
    /// So many uploads of one person may wait for something that refers to them; the oldest give way.
    private let waitingLimit: Int
    private let store = UploadStore()

    package init(database: PostgresClient, intake: FileIntake, files: any FileStore, waitingLimit: Int) {
        self.database = database
        self.intake = intake
        self.files = files
        self.waitingLimit = waitingLimit
    }

    /// Files in a folder.
    package init(database: PostgresClient, _ configuration: FilesConfiguration, waitingLimit: Int) {
        self.init(
            database: database,
            intake: configuration.intake,
            files: configuration.store,
            waitingLimit: waitingLimit
        )
    }

    /// The table, under the service's own version number.
    package static func migration(version: Int) -> Migration {
        Migration(version: version, name: "uploads", sql: PackageResources.uploads_sql)
    }

    /// Makes the folders.
    ///
    /// - Throws: when they cannot be made or written.
    package func prepare() async throws {
        try await intake.prepare()
    }

    /// Takes a file in from a stream. Follow it by `keep` or `discard`.
    ///
    /// - Throws: `FilesError`, and what the stream throws.
    package func receive<Bytes: AsyncSequence>(_ bytes: Bytes, _ rules: UploadRules) async throws -> IncomingFile
    where Bytes.Element == ByteBuffer {
        try await intake.receive(bytes, limit: rules.limit, types: rules.types)
    }

    package func discard(_ files: some Sequence<IncomingFile>) {
        for file in files { intake.discard(file) }
    }

    /// Keeps files, for a day unless something refers to them by then.
    ///
    /// - Parameter admit: throws when the account may not keep any; whoever it admits must not leave before the transaction
    ///   ends.
    /// - Returns: the uploads, in the order of the files.
    /// - Throws: what `admit` throws; nothing is kept then.
    package func keep(
        _ incoming: [IncomingFile],
        by account: Int64,
        admit: (PostgresTransaction) async throws -> Void
    ) async throws -> [Upload] {
        let uploads = incoming.map { Upload($0, by: account) }
        do {
            try await database.transaction { transaction in
                try await admit(transaction)
                let room = waitingLimit - uploads.count
                try await store.expireOldest(of: account, keeping: max(room, 0), in: transaction)
                // In one order, so that nobody waits for who waits for them.
                for id in Set(uploads.map(\.file.text)).sorted() { try await store.lock(id, in: transaction) }
                for upload in uploads { try await store.insert(upload, in: transaction) }
            }
            for file in incoming { try await files.keep(file) }
        } catch {
            discard(incoming)
            throw error
        }
        return uploads
    }

    /// An upload that may be served; nil when there is none of that name.
    package func upload(named name: String) async throws -> Upload? {
        guard Upload.isName(name) else { return nil }
        return try await store.upload(named: name, in: database)
    }

    /// The bytes of an upload; nil when they are gone.
    package func open(_ upload: Upload) async throws -> (any StoredFile)? {
        try await files.open(upload.file)
    }

    /// Deletes the next upload that nothing refers to any more, and its bytes unless another upload has the same.
    ///
    /// - Returns: whether there was one.
    package func collectNext() async throws -> Bool {
        guard let name = try await store.nextExpired(in: database) else { return false }
        do {
            try await database.transaction { transaction in
                guard let file = try await store.deleteExpired(name, in: transaction) else { return }
                try await store.lock(file.text, in: transaction)
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
