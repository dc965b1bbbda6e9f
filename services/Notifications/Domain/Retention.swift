import FoundationEssentials
import Postgres

/// How long rows are kept. What belongs to an account goes with it (`Withdrawal`).
struct Retention: Sendable {
    let database: PostgresClient
    let now: @Sendable () -> Date

    private static let day: TimeInterval = 86_400
    /// In-app notifications and announcements, read or not, and conversations with unread messages.
    static let notices = 180 * day
    /// Conversations without unread messages.
    static let readConversations = 90 * day
    /// Ended sessions and released tokens: longer than any event is delayed.
    static let endedSessions = 30 * day
    /// Tokens that no session has registered again. FCM takes those for dead after 270 days.
    static let devices = 270 * day
    /// Pushes that no replica has taken. They are no longer sent after `PushPace.lifetime`.
    static let pushes = 4 * day

    /// Deletes what is older.
    func prune() async throws {
        let (store, now) = (RetentionStore(database: database), now())
        try await store.deletePushes(before: now - Self.pushes)
        try await store.deleteAlarms(before: now - Self.notices)
        try await store.deleteAnnouncements(before: now - Self.notices)
        try await store.deleteConversations(readBefore: now - Self.readConversations, before: now - Self.notices)
        try await store.deleteDevices(releasedBefore: now - Self.endedSessions, before: now - Self.devices)
        try await store.deleteEndedSessions(before: now - Self.endedSessions)
    }
}
