/// A list of notifications. Calls with an ID affect the reader's own entries only.
protocol NotificationList: Sendable {
    /// A page, newest first.
    func page(_ query: NotificationQuery, for reader: Reader) async throws -> NotificationPage

    /// The number of unread entries, counted up to `NotificationLimits.unread`.
    func unread(of reader: Reader) async throws -> Int

    /// - Throws: `NotificationsError.noticeNotFound`, `.notTheirs`.
    func notice(_ id: NotificationID, for reader: Reader) async throws -> NotificationItem

    /// Marks an entry as read. Idempotent.
    ///
    /// - Returns: The entry, and whether it was read before.
    /// - Throws: `NotificationsError.noticeNotFound`, `.notTheirs`.
    func read(_ id: NotificationID, by reader: Reader) async throws -> (notice: NotificationItem, wasRead: Bool)

    func readAll(by reader: Reader) async throws

    /// Deletes an entry from the reader's list.
    ///
    /// - Throws: `NotificationsError.noticeNotFound`, `.notTheirs`.
    func delete(_ id: NotificationID, by reader: Reader) async throws

    func deleteAll(by reader: Reader) async throws
}

/// Limits of lists and counts.
enum NotificationLimits {
    /// Maximum of unread counts.
    static let unread = 999
    /// Maximum length of an unpaged list.
    static let all = 1000
}
