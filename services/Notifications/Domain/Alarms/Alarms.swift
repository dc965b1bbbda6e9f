import FoundationEssentials
import Postgres

/// What somebody is told of inside their app.
struct Alarms: Sendable {
    let database: PostgresClient
    let queue: PushQueue
    let now: @Sendable () -> Date
    let store = AlarmStore()
    private let pushes = PushStore()
    private let mailboxes = MailboxStore()

    init(database: PostgresClient, queue: PushQueue, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.queue = queue
        self.now = now
    }

    /// Keeps what is new of some alarms, and pushes what was not seen. Who has left is told nothing.
    ///
    /// - Returns: the ids of those that are new, by their sources.
    @discardableResult
    func tell(_ drafts: [AlarmDraft], in transaction: PostgresTransaction) async throws -> [UUID: Int64] {
        let now = now()
        try await transaction.run([store.lockPeople(drafts.flatMap { [$0.account] + ($0.sender.map { [$0] } ?? []) })])
        let ids = try await store.insert(drafts, at: now, in: transaction)
        let fresh = drafts.filter { ids[$0.source] != nil && !$0.isSeen }
        try await queue.add(
            fresh.compactMap { draft in ids[draft.source].map { PushOrder(draft, alarm: $0, due: now) } },
            in: transaction
        )
        for draft in fresh {
            guard let session = draft.session else { continue }
            try await transaction.run([
                pushes.delete(grouping: draft.grouping, session: session), mailboxes.arm(of: [draft.account]),
            ])
        }
        return ids
    }

    /// Whether what was told under a source is the same as a draft, or is gone.
    func isSame(_ draft: AlarmDraft, in transaction: PostgresTransaction) async throws -> Bool {
        try await store.isSame(draft, in: transaction)
    }

    /// What somebody is called; nil for who has left, and for who has not been heard of.
    func nickname(of account: Int64, in transaction: PostgresTransaction) async throws -> String? {
        try await transaction.run(ConversationStore().nicknames(of: [account])).first?.1
    }

    /// Somebody has left: what they were told goes, and nobody is told any more that it was they.
    func forget(_ account: Int64, in transaction: PostgresTransaction) async throws {
        try await store.forget(account, in: transaction)
    }
}

extension AlarmDraft {
    /// By which its pushes are found while they wait.
    fileprivate var grouping: String { "alarm \(source)" }
}

extension PushOrder {
    fileprivate init(_ draft: AlarmDraft, alarm: Int64, due: Date) {
        var data = draft.data
        data["type"] = draft.kind
        if let key = draft.idKey { data[key] = String(alarm) }
        let content = PushContent(
            kind: draft.kind,
            title: ShownText.line(draft.title),
            body: ShownText.lines(draft.body),
            data: data
        )
        let grouping = draft.session == nil ? nil : draft.grouping
        self.init(account: draft.account, content: content, grouping: grouping, due: due)
    }
}
