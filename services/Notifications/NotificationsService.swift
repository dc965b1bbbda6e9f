import Logging
import ServiceHost

/// Notifications: the right phone, once, in time.
///
/// **Owns** whose phone is where, what waits to be pushed, what people are told of inside their app, announcements, and what
/// somebody wants no push of.
///
/// **Tables** (schema `notifications`): `people` (from auth); `devices` and `ended_sessions`; `mailboxes` and `pushes` (what waits
/// for which phone); `conversations` (what somebody has not read in a room); `alarms`; `announcements`, `announcement_marks` and
/// `announcement_readers`; `muted_kinds`; inbox and outbox.
///
/// **Consumes** of auth `account-registered`, `profile-changed`, `account-withdrawn`, `session-revoked`, `push-token-received` and
/// `new-device-signed-in`; `seats.passenger-alerted`; `workforce.member-alerted`; `chat.message-sent` and `chat.messages-read`;
/// `payments.order-settled`; `community.comment-written` and `community.followed`. **Publishes** `notifications.account-erased`
/// (auth).
///
/// **An event becomes pushes** in the transaction that takes it in (`Domain/Pushes/PushQueue.swift`): one row for each phone,
/// in the phone's mailbox. **Pushes are sent** by `Domain/Pushes/PushSender.swift`: who takes a mailbox has the phone to
/// themselves, so that it gets things in their order, and any number of copies may be at it. What FCM answers decides
/// (`PushOutcome`): it goes, it waits, or the phone is forgotten. Announcements come to everybody's phones a part at a time
/// (`Domain/Announcements/Broadcasts.swift`).
///
/// Every URL is in `Routes/Routes.swift`; `NotificationsService+build.swift` puts the pieces together.
@main
struct NotificationsService {
    static func main() async {
        await ServiceHost.run(
            "notifications",
            read: { try NotificationsConfiguration(&$0) },
            logLevel: \.host.logLevel,
            build: { try buildNotifications($0, logger: $1) }
        )
    }
}
