import Contracts
import FoundationEssentials
import Postgres
import Profiles

/// The in-app notifications of users.
struct InAppNotifications: Sendable {
    let database: PostgresClient
    let queue: PushQueue
    let now: @Sendable () -> Date
    let store = InAppNotificationStore()
    private let pushes = PushStore()
    private let mailboxes = MailboxStore()

    /// Stores the drafts whose sources are new, and queues pushes for the unseen ones. Withdrawn accounts get none.
    ///
    /// - Returns: The IDs of the new ones, by source.
    @discardableResult
    func tell(_ drafts: [InAppNotificationDraft], in transaction: PostgresTransaction) async throws -> [UUID:
        NotificationID]
    {
        let now = now()
        try await transaction.run([store.lockPeople(drafts.flatMap { [$0.account] + ($0.sender.map { [$0] } ?? []) })])
        let ids = try await store.insert(drafts, at: now, in: transaction)
        let fresh = drafts.filter { ids[$0.source] != nil && !$0.isSeen }
        try await queue.add(
            fresh.compactMap { draft in ids[draft.source].map { ScheduledPush(draft, alarm: $0, due: now) } },
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

    /// Whether the notification stored for the draft's source is the same, or was deleted.
    func isSame(_ draft: InAppNotificationDraft, in transaction: PostgresTransaction) async throws -> Bool {
        try await store.isSame(draft, in: transaction)
    }

    /// The nickname of an account; nil when it has withdrawn or is not known yet.
    func nickname(of account: AccountID, in transaction: PostgresTransaction) async throws -> String? {
        try await transaction.run(ConversationStore().people([account])).first?.nickname
    }

    /// The nickname of an account that withdraws. No notification with it can be added until the transaction ends.
    func lockedNickname(of account: AccountID, in transaction: PostgresTransaction) async throws -> String? {
        try await store.lockedNickname(of: account, in: transaction)
    }

    /// Deletes the notifications of a withdrawn account, and removes it as a sender and its nickname from those of
    /// others.
    func forget(_ account: AccountID, named nickname: String?, in transaction: PostgresTransaction) async throws {
        let name = ShownText.line(nickname ?? "")
        try await store.forget(account, named: name, now: Person.withdrawnName, in: transaction)
    }
}

extension InAppNotificationDraft {
    /// Identifies pending pushes of the notification.
    fileprivate var grouping: String { "alarm \(source)" }
}

extension ScheduledPush {
    fileprivate init(_ draft: InAppNotificationDraft, alarm: NotificationID, due: Date) {
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
