import Contracts

/// Why something is refused.
enum NotificationsError: Error, Sendable, Equatable {
    /// What breaks a rule, in a sentence that names the field.
    case rule(String)
    /// No such alarm or announcement.
    case noticeNotFound(App)
    /// Somebody else's alarm.
    case notTheirs(App)
    /// Read before.
    case alreadyRead
    /// Only who administers the app may do this.
    case notAdmin
    /// Nobody of this id.
    case personNotFound
    /// Another request was made under the same `Idempotency-Key`.
    case keyReused
}
