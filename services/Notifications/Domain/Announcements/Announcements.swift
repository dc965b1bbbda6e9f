import Contracts
import FoundationEssentials
import Postgres

/// The announcements of an app, as listed for a user. Each is stored once, with marks of the users who have read or
/// deleted it. A user does not see announcements older than the account; accounts registered before events were
/// published see all.
struct Announcements: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date
    private let store = AnnouncementStore()

    /// Hides the existing announcements from a new account.
    func welcome(_ reader: Reader, in transaction: PostgresTransaction) async throws {
        try await store.welcome(reader, in: transaction)
    }

    /// Removes a withdrawn account's marks and authorship.
    func forget(_ account: AccountID, in transaction: PostgresTransaction) async throws {
        try await store.forget(account, in: transaction)
    }
}

extension Announcements: NotificationList {
    func page(_ query: NotificationQuery, for reader: Reader) async throws -> NotificationPage {
        NotificationPage(try await store.announcements(query, for: reader, in: database), limit: query.limit)
    }

    func unread(of reader: Reader) async throws -> Int {
        try await store.unread(of: reader, in: database)
    }

    func notice(_ id: NotificationID, for reader: Reader) async throws -> NotificationItem {
        guard let notice = try await store.announcement(id, for: reader, in: database) else {
            throw NotificationsError.noticeNotFound(reader.app)
        }
        return notice
    }

    func read(_ id: NotificationID, by reader: Reader) async throws -> (notice: NotificationItem, wasRead: Bool) {
        var notice = try await notice(id, for: reader)
        guard notice.readAt == nil else { return (notice, true) }
        notice.readAt = try await store.read(id, by: reader.account, at: now(), in: database)
        return (notice, false)
    }

    func readAll(by reader: Reader) async throws {
        try await store.readAll(by: reader, at: now(), in: database)
    }

    func delete(_ id: NotificationID, by reader: Reader) async throws {
        let notice = try await notice(id, for: reader)
        try await store.delete(notice.id, by: reader.account, at: now(), in: database)
    }

    func deleteAll(by reader: Reader) async throws {
        try await database.transaction(key: "account \(reader.account)") {
            try await store.deleteAll(by: reader, in: $0)
        }
    }
}
