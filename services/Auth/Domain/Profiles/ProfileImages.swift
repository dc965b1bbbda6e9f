import Contracts
import Files
import Postgres

/// Profile pictures: upload, download, and deletion when no profile refers to them.
struct ProfileImages: Sendable {
    let uploads: Uploads
    let rules: @Sendable (App) -> UploadRules?
    private let database: PostgresClient
    private let accounts = AccountStore()
    private let people = UserDirectoryStore()

    /// Unreferenced uploads per user; beyond the limit, the oldest are deleted.
    static let waitingLimit = 10

    init(
        database: PostgresClient,
        intake: FileIntake,
        files: any FileStore,
        rules: @escaping @Sendable (App) -> UploadRules?
    ) {
        self.database = database
        self.rules = rules
        uploads = Uploads(database: database, intake: intake, files: files, waitingLimit: Self.waitingLimit)
    }

    /// Stores a picture, which expires after a day unless a profile refers to it.
    ///
    /// - Returns: the path in the app's form.
    /// - Throws: `AccountError.accountGone`.
    func keep(_ file: IncomingFile, by account: AccountID, app: App) async throws -> String {
        let kept = try await uploads.keep([file], by: account) { transaction in
            guard try await accounts.lock(account, app: app, in: transaction) else { throw AccountError.accountGone }
        }
        return (rules(app)?.prefix ?? "") + kept.map(\.name).joined()
    }

    /// Opens a picture for reading.
    ///
    /// - Throws: `AccountError.imageGone`.
    func open(_ name: String, app: App) async throws -> (upload: Upload, file: any StoredFile) {
        guard let upload = try await uploads.upload(named: name),
            try await people.person(upload.account, in: database)?.app == app,
            let file = try await uploads.open(upload)
        else { throw AccountError.imageGone }
        return (upload, file)
    }
}
