package import Contracts
package import NIOCore
package import Postgres

/// Uploaded files: they are received, served, and deleted when they are no longer referenced.
///
/// A row is written before the file's bytes are stored, and deleted together with them. After an interruption there are
/// never bytes without a row, and a row without bytes is collected after a day.
///
/// A reference to a file is recorded with `UploadStore`, in the transaction that creates the reference.
package struct Uploads: Sendable {
    private let database: PostgresClient
    private let intake: FileIntake
    private let files: any FileStore
    /// The maximum number of unreferenced uploads per account; the oldest are expired first.
    private let waitingLimit: Int
    private let store = UploadStore()

    package init(database: PostgresClient, intake: FileIntake, files: any FileStore, waitingLimit: Int) {
        self.database = database
        self.intake = intake
        self.files = files
        self.waitingLimit = waitingLimit
    }

    /// Creates the uploads of a service, stored as configured.
    package init(database: PostgresClient, _ configuration: FilesConfiguration, waitingLimit: Int) {
        self.init(
            database: database,
            intake: configuration.intake,
            files: configuration.store,
            waitingLimit: waitingLimit
        )
    }

    /// The migration that creates the table, with a version number of the service.
    package static func migration(version: Int) -> Migration {
        Migration(version: version, name: "uploads", sql: PackageResources.uploads_sql)
    }

    /// Creates the folders.
    ///
    /// - Throws: If they cannot be created or written.
    package func prepare() async throws {
        try await intake.prepare()
    }

    /// Receives a file from a stream. The caller must then call `keep` or `discard`.
    ///
    /// - Throws: `FilesError`, and the errors of the stream.
    package func receive<Bytes: AsyncSequence>(_ bytes: Bytes, _ rules: UploadRules) async throws -> IncomingFile
    where Bytes.Element == ByteBuffer {
        try await intake.receive(bytes, limit: rules.limit, types: rules.types)
    }

    package func discard(_ files: some Sequence<IncomingFile>) {
        for file in files { intake.discard(file) }
    }

    /// Stores files. They expire after a day unless they are referenced by then.
    ///
    /// - Parameter admit: Throws if the account may not store files; it must lock the account against withdrawal until
    ///   the transaction ends.
    /// - Returns: The uploads, in the order of the files.
    /// - Throws: The errors of `admit`; nothing is stored then.
    package func keep(
        _ incoming: [IncomingFile],
        by account: AccountID,
        admit: (PostgresTransaction) async throws -> Void
    ) async throws -> [Upload] {
        let uploads = incoming.map { Upload($0, by: account) }
        do {
            try await database.transaction(key: "account \(account)") { transaction in
                try await admit(transaction)
                let room = waitingLimit - uploads.count
                try await store.expireOldest(of: account, keeping: max(room, 0), in: transaction)
                // Files are locked in a fixed order to avoid deadlocks.
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

    /// The upload with a name; nil if there is none.
    package func upload(named name: String) async throws -> Upload? {
        guard Upload.isName(name) else { return nil }
        return try await store.upload(named: name, in: database)
    }

    /// The bytes of an upload; nil if they have been deleted.
    package func open(_ upload: Upload) async throws -> (any StoredFile)? {
        try await files.open(upload.file)
    }

    /// Deletes the next expired upload, and its bytes unless another upload has the same content.
    ///
    /// - Returns: Whether there was an expired upload.
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
            // The upload is retried later, so that it does not block the others.
            try await store.noteFailure(name, in: database)
            throw error
        }
        return true
    }
}
