import FoundationEssentials
import Postgres
import ServiceKit

/// Sends announcements: they appear in all lists at once, and are queued for devices in batches. Each device gets one
/// push, also across restarts and with several replicas.
struct Broadcasts: Sendable {
    let database: PostgresClient
    let queue: PushQueue
    let now: @Sendable () -> Date
    /// Wakes the job that queues the pushes.
    let waker = AsyncSignal()
    /// Number of accounts per batch.
    let part: Int
    private let store = AnnouncementStore()

    init(database: PostgresClient, queue: PushQueue, part: Int = 1000, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.queue = queue
        self.part = part
        self.now = now
    }

    /// Stores an announcement, once per source.
    ///
    /// - Returns: Its ID.
    /// - Throws: `NotificationsError.keyReused` when another announcement has the same source.
    func send(_ draft: AnnouncementDraft) async throws -> AnnouncementID {
        let id = try await database.transaction { transaction in
            try await store.lockOrder(in: transaction)
            if let id = try await store.insert(draft, at: now(), in: transaction) { return id }
            guard let id = try await store.same(as: draft, in: transaction) else { throw NotificationsError.keyReused }
            return id
        }
        waker.wake()
        return id
    }

    /// Queues an announcement for the next batch of accounts, unless other replicas process all outstanding ones.
    ///
    /// - Returns: Whether there may be more.
    func pushNext() async throws -> Bool {
        try await database.transaction { transaction in
            guard let announcement = try await store.takeOngoing(in: transaction) else { return false }
            let accounts = try await store.audience(of: announcement, limit: part, in: transaction)
            let now = now()
            let orders = accounts.map { ScheduledPush(account: $0, content: announcement.push, due: now) }
            try await queue.add(orders, in: transaction)
            let last = accounts.count < part ? nil : accounts.last
            try await store.move(announcement.id, to: last, in: transaction)
            return true
        }
    }
}
