import FoundationEssentials
import Postgres

/// What somebody is told of inside their app.
struct Alarms: Sendable {
    let database: PostgresClient
    let queue: PushQueue
    let now: @Sendable () -> Date
    private let store = AlarmStore()

    init(database: PostgresClient, queue: PushQueue, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.queue = queue
        self.now = now
    }

    /// Keeps what is new of some alarms, and pushes what was not seen.
    func tell(_ drafts: [AlarmDraft], in transaction: PostgresTransaction) async throws {
        let now = now()
        let ids = try await store.insert(drafts, at: now, in: transaction)
        let orders = drafts.compactMap { draft in
            ids[draft.source].flatMap { draft.isSeen ? nil : PushOrder(draft, alarm: $0, due: now) }
        }
        try await queue.add(orders, in: transaction)
    }

    /// Somebody has left: what they were told goes, and nobody is told any more that it was they.
    func forget(_ account: Int64, in transaction: PostgresTransaction) async throws {
        try await store.forget(account, in: transaction)
    }
}

extension PushOrder {
    fileprivate init(_ draft: AlarmDraft, alarm: Int64, due: Date) {
        var data = draft.data
        data["type"] = draft.kind
        if let key = draft.idKey { data[key] = String(alarm) }
        let content = PushContent(kind: draft.kind, title: draft.title, body: draft.body, data: data)
        self.init(account: draft.account, content: content, due: due)
    }
}
