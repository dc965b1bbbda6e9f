import Apps
import Contracts
import Values

/// An announcement in MOUP's format (contract 1.3). Missing content is an empty text: some builds do not decode null
/// (section 5, row 4).
struct MOUPAnnouncement: Encodable {
    var id: NotificationID
    var title: String
    var content: String
    var sentAt: LocalDateTime

    init(_ notice: NotificationItem) {
        id = notice.id
        title = notice.title
        content = notice.body
        sentAt = LocalDateTime(notice.at)
    }
}

/// A notification in MOUP's format (contract 1.3).
struct MOUPNotification: Encodable {
    var id: NotificationID
    /// 0 for the system and withdrawn accounts: the app does not decode null.
    var senderId: AccountID
    var receiverId: AccountID
    var title: String
    var content: String
    var sentAt: LocalDateTime
    @Nullable var readAt: LocalDateTime?
    /// The kind, as in the push.
    var type: String
    /// 0 where the notification is about no worker or no workplace: some builds do not decode null.
    var workerId: WorkerID
    var workplaceId: WorkplaceID

    init(_ notice: NotificationItem, receiver: AccountID) {
        id = notice.id
        senderId = notice.sender ?? .system
        receiverId = receiver
        title = notice.title
        content = notice.body
        sentAt = LocalDateTime(notice.at)
        readAt = notice.readAt.map(LocalDateTime.init)
        type = notice.kind
        workerId = notice.data["workerId"].flatMap { WorkerID($0) } ?? WorkerID(rawValue: 0)
        workplaceId = notice.data["workplaceId"].flatMap { WorkplaceID($0) } ?? WorkplaceID(rawValue: 0)
    }
}
