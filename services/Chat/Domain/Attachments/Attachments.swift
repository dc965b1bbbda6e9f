import Contracts
import Files
import People
import Postgres
import Uploads

/// Files that people send each other: waiting for a day, and then kept for as long as a message has them. Nobody but the two
/// of a room in which one was sent can read it.
struct Attachments: Sendable {
    let database: PostgresClient
    let uploads: Uploads
    let people: People
    private let store = UploadStore()
    private let files = AttachmentStore()

    init(database: PostgresClient, uploads: Uploads, people: People) {
        self.database = database
        self.uploads = uploads
        self.people = people
    }

    /// So many files of one person may wait for a message.
    static let waitingLimit = 50
    /// What Anlaka may send, 5 MiB each, and how it calls it (Anlaka contract 4.8).
    static let rules = UploadRules(
        limit: 5 * 1024 * 1024,
        types: [.jpeg, .png, .gif, .pdf],
        prefix: "/data/chats/"
    )

    /// Keeps files of a form.
    ///
    /// - Returns: their paths, in the order of the files.
    /// - Throws: `PersonUnknown`; nothing is kept then.
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

    /// A file and its bytes, for who has sent it and for who was sent it.
    ///
    /// - Returns: nil for what is not there.
    /// - Throws: `ChatError.notAMember` for a file of others.
    func open(_ name: String, for account: Int64) async throws -> (upload: Upload, file: any StoredFile)? {
        guard let upload = try await uploads.upload(named: name) else { return nil }
        if upload.account != account, try await !files.wasSent(name, to: account, in: database) {
            throw ChatError.notAMember
        }
        return try await uploads.open(upload).map { (upload, $0) }
    }

    /// The names in paths.
    ///
    /// - Throws: `ChatError.rule` for paths of something else.
    static func names(_ paths: [String]) throws(ChatError) -> [String] {
        let names = paths.compactMap(rules.name(in:))
        guard names.count == paths.count else { throw .rule(foreign) }
        return names
    }

    static let foreign = "files must be paths of uploads of the sender that are still there, each once."

    /// Notes that a message has files, which stay as long as it does.
    ///
    /// - Throws: `ChatError.rule` when one is no upload of the sender, or is gone.
    func refer(to names: [String], of account: Int64, _ transaction: PostgresTransaction) async throws {
        guard !names.isEmpty else { return }
        let found = try await store.refer(to: Set(names), of: account, in: transaction)
        guard found.count == names.count else { throw ChatError.rule(Self.foreign) }
    }

    /// Lets go of files that messages of somebody have had, but for those that another message of theirs has.
    func letGo(_ names: [String], of account: Int64, _ transaction: PostgresTransaction) async throws {
        guard !names.isEmpty else { return }
        // Of two messages that go at the same time, the one that comes second sees that the first has gone.
        try await store.lock(names, of: account, in: transaction)
        let sent = try await files.sent(by: account, among: names, in: transaction)
        try await store.expire(names.filter { !sent.contains($0) }, of: account, in: transaction)
    }

    /// Lets go of what somebody has uploaded and never sent.
    func letGoOfAll(of account: Int64, keepingSent: Bool, _ transaction: PostgresTransaction) async throws {
        let sent = keepingSent ? try await files.sent(by: account, in: transaction) : []
        try await store.expireAll(of: account, except: sent, in: transaction)
    }
}
