import Contracts
import FoundationEssentials

/// One push to one device, taken for sending.
struct Push: Sendable {
    var id: PushID
    var device: DeviceID
    /// Revision of the content when it was taken.
    var revision: Int
    var app: App
    var account: AccountID
    var token: String
    /// Message ID, the same for all attempts.
    var message: UUID
    var content: PushContent
    var sender: AccountID?
    /// Badge of the app's icon: the number of unread messages and notifications.
    var badge: Int
    var createdAt: Date
    /// Number of earlier attempts.
    var attempts: Int
    /// The span that it follows from, as `traceparent`.
    var trace: String?
}
