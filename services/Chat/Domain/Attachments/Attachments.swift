import Contracts
import Files
import Postgres
import Profiles

/// Files attached to messages. An upload expires after a day unless a message refers to it. Only the members of a room
/// in which a file was sent can read it.
struct Attachments: Sendable {
    let database: PostgresClient
    let uploads: Uploads
    let people: People
    private let store = UploadStore()
    private let files = AttachmentStore()

    /// Maximum number of one user's uploads that no message refers to yet.
    static let waitingLimit = 50
    /// Accepted types, the limit of 5 MiB per file and the path prefix of Anlaka (Anlaka contract 4.8).
    static let rules = UploadRules(
        limit: 5 * 1024 * 1024,
        types: [.jpeg, .png, .gif, .heic, .pdf],
        prefix: "/data/chats/"
    )

    /// Stores the files of a form.
    ///
    /// - Returns: The paths, in the order of the files.
    /// - Throws: `PersonUnknown`; no file is stored then.
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

    /// A file and its content, for its uploader and for recipients of a message with it.
    ///
    /// - Returns: nil when the file does not exist.
    /// - Throws: `ChatError.notAMember` when it was sent in rooms of other users only.
    func open(_ name: String, for account: AccountID) async throws -> (upload: Upload, file: any StoredFile)? {
        guard let upload = try await uploads.upload(named: name) else { return nil }
        if upload.account != account, try await !files.wasSent(name, to: account, in: database) {
            throw ChatError.notAMember
        }
        return try await uploads.open(upload).map { (upload, $0) }
    }

    /// The upload names in paths.
    ///
    /// - Throws: `ChatError.rule` when a path is not a path of an upload.
    static func names(_ paths: [String]) throws(ChatError) -> [String] {
        let names = paths.compactMap(rules.name(in:))
        guard names.count == paths.count else { throw .rule(foreign) }
        return names
    }

    static let foreign = "files must be paths of uploads of the sender that are still there, each once."

    /// Records that a message refers to files, which keeps them for as long as the message exists.
    ///
    /// - Throws: `ChatError.rule` when a file is not an upload of the sender or no longer exists.
    func refer(to names: [String], of account: AccountID, _ transaction: PostgresTransaction) async throws {
        guard !names.isEmpty else { return }
        let found = try await store.refer(to: Set(names), of: account, in: transaction)
        guard found.count == names.count else { throw ChatError.rule(Self.foreign) }
    }

    /// Lets files of a user's removed messages expire, except those that another message of the user refers to.
    func release(_ names: [String], of account: AccountID, _ transaction: PostgresTransaction) async throws {
        guard !names.isEmpty else { return }
        // Serializes concurrent removals: the second one sees that the first message no longer refers to the file.
        try await store.lock(names, of: account, in: transaction)
        let sent = try await files.sent(by: account, among: names, in: transaction)
        try await store.expire(names.filter { !sent.contains($0) }, of: account, in: transaction)
    }

    /// Lets all unsent uploads of a user expire, and sent ones too unless `keepingSent`.
    func letGoOfAll(of account: AccountID, keepingSent: Bool, _ transaction: PostgresTransaction) async throws {
        let sent = keepingSent ? try await files.sent(by: account, in: transaction) : []
        try await store.expireAll(of: account, except: sent, in: transaction)
    }
}
