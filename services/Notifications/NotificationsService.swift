import Logging
import ServiceKit

/// Notifications: push notifications by FCM, in-app notifications and announcements of all apps.
///
/// **Owns** devices and their push tokens, pending pushes, in-app notifications, announcements, and muted kinds of
/// pushes.
///
/// **Tables** (schema `notifications`): `people` (from auth); `devices` and `ended_sessions`; `mailboxes` and `pushes`
/// (pending pushes per device); `conversations` (unread messages per room); `alarms`; `announcements`,
/// `announcement_marks` and `announcement_readers`; `muted_kinds`; inbox and outbox.
///
/// **Consumes** of auth `account-registered`, `profile-changed`, `account-withdrawn`, `session-revoked`,
/// `push-token-received` and `new-device-signed-in`; `seats.passenger-alerted`; `workforce.member-alerted`;
/// `chat.message-sent`, `chat.messages-read`, `chat.message-taken-back` and `chat.room-ended`; `payments.order-settled`;
/// `community.comment-written` and `community.followed`. **Publishes** `notifications.account-erased` (auth).
///
/// **Queueing.** The transaction that handles an event inserts the pushes (`Domain/Pushes/PushQueue.swift`): one row
/// per device, in the device's mailbox. **Sending** is done by `Domain/Pushes/PushSender.swift`: a lease on the mailbox
/// gives one replica exclusive access, so pushes to a device keep their order, and any number of replicas can send.
/// FCM's response (`PushOutcome`) decides whether a push is done, retried, or its device removed. Announcements are
/// queued for all devices of an app in batches (`Domain/Announcements/Broadcasts.swift`).
///
/// **What is kept** (`Domain/Retention.swift`, hourly and in batches). All tables with rows of an account lose them when it
/// withdraws.
///
/// | Table | Bound |
/// |---|---|
/// | `alarms`, `announcements`, `announcement_marks` | 180 days |
/// | `conversations` | 90 days after the last change, with unread messages 180 days |
/// | `devices`, `mailboxes` | with their session; 270 days without a registration; a released token 30 days |
/// | `ended_sessions` | 30 days |
/// | `pushes` | until they are sent, at most 4 days |
/// | `people`, `announcement_readers`, `muted_kinds` | one row an account, and kind |
/// | inbox, outbox | as all services (`Inbox`, `OutboxRelay`) |
///
/// The routes are in `Routes/Routes.swift`; `NotificationsService+build.swift` assembles the service.
@main
struct NotificationsService {
    static func main() async {
        await ServiceHost.run(
            "notifications",
            "push tokens, pushes by FCM, alarms and announcements of all apps",
            read: { try NotificationsConfiguration(&$0) },
            build: { try buildNotifications($0, logger: $1) }
        )
    }
}
