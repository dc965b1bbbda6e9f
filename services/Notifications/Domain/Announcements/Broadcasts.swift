import FoundationEssentials
import Postgres
import ServiceHost

/// Sends announcements: at once into the lists of everybody in an app, and to their phones a part at a time. A restart, or
/// several copies of the service at it, tell each phone once.
struct Broadcasts: Sendable {
    let database: PostgresClient
    let queue: PushQueue
    let now: @Sendable () -> Date
    /// Wakes who pushes what is sent here.
    let waker = Waker()
    /// How many people are told in one transaction.
    let part: Int
    private let store = AnnouncementStore()

    init(database: PostgresClient, queue: PushQueue, part: Int = 1000, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.queue = queue
        self.part = part
        self.now = now
    }

    /// Sends an announcement; one that was sent before under the same source is not sent again.
    ///
    /// - Returns: its id.
    /// - Throws: `NotificationsError.keyReused` when something else was sent under the source.
    func send(_ draft: AnnouncementDraft) async throws -> Int64 {
        let id = try await database.transaction { transaction in
            try await store.lockOrder(in: transaction)
            if let id = try await store.insert(draft, at: now(), in: transaction) { return id }
            guard let id = try await store.same(as: draft, in: transaction) else { throw NotificationsError.keyReused }
            return id
        }
        waker.wake()
        return id
    }

    /// Puts an announcement into the mailboxes of the next people who have not got it, unless somebody else is at all of them.
    ///
    /// - Returns: whether there may be more to do.
    func pushNext() async throws -> Bool {
        try await database.transaction { transaction in
            guard let announcement = try await store.takeOngoing(in: transaction) else { return false }
            let accounts = try await store.audience(of: announcement, limit: part, in: transaction)
            let now = now()
            let orders = accounts.map { PushOrder(account: $0, content: announcement.push, due: now) }
            try await queue.add(orders, in: transaction)
            let last = accounts.count < part ? nil : accounts.last
            try await store.move(announcement.id, to: last, in: transaction)
            return true
        }
    }
}
