import Contracts

/// Errors of notification operations.
enum NotificationsError: Error, Sendable, Equatable {
    /// A validation error: a sentence that names the field.
    case rule(String)
    /// The notification or announcement does not exist.
    case noticeNotFound(App)
    /// The notification belongs to another user.
    case notTheirs(App)
    /// The notification was read before.
    case alreadyRead
    /// The caller is not an administrator.
    case notAdmin
    /// The account does not exist.
    case personNotFound
    /// The `Idempotency-Key` was used for another request.
    case keyReused
}
