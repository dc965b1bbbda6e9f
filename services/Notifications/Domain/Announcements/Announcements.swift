import FoundationEssentials
import Postgres

/// What everybody in an app is told of, as somebody in it finds it: stored once, with marks of who has read it or put it away.
/// Who came after an announcement was sent does not find it. Who was there before anything was heard of accounts finds all.
struct Announcements: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = AnnouncementStore()

    init(database: PostgresClient, now: @escaping @Sendable () -> Date) {
        self.database = database
        self.now = now
    }

    /// Somebody has come: what was sent before is not for them.
    func welcome(_ reader: Reader, in transaction: PostgresTransaction) async throws {
        try await store.welcome(reader, in: transaction)
    }

    /// Somebody has left: nobody knows any more what they have read, or written.
    func forget(_ account: Int64, in transaction: PostgresTransaction) async throws {
        try await store.forget(account, in: transaction)
    }
}

extension Announcements: NoticeList {
    func page(_ query: NoticeQuery, for reader: Reader) async throws -> NoticePage {
        NoticePage(try await store.announcements(query, for: reader, in: database), limit: query.limit)
    }

    func unread(of reader: Reader) async throws -> Int {
        try await store.unread(of: reader, in: database)
    }

    func notice(_ id: Int64, for reader: Reader) async throws -> Notice {
        guard let notice = try await store.announcement(id, for: reader, in: database) else {
            throw NotificationsError.noticeNotFound(reader.app)
        }
        return notice
    }

    func read(_ id: Int64, by reader: Reader) async throws -> (notice: Notice, wasRead: Bool) {
        var notice = try await notice(id, for: reader)
        guard notice.readAt == nil else { return (notice, true) }
        notice.readAt = try await store.read(id, by: reader.account, at: now(), in: database)
        return (notice, false)
    }

    func readAll(by reader: Reader) async throws {
        try await store.readAll(by: reader, at: now(), in: database)
    }

    func delete(_ id: Int64, by reader: Reader) async throws {
        let notice = try await notice(id, for: reader)
        try await store.delete(notice.id, by: reader.account, at: now(), in: database)
    }

    func deleteAll(by reader: Reader) async throws {
        try await database.transaction { try await store.deleteAll(by: reader, in: $0) }
    }
}
