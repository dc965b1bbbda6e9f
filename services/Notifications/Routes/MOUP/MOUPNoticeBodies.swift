import AppWire

/// An announcement as MOUP reads it (contract 1.3). Without content, it has an empty one: some builds read no null (section 5,
/// row 4).
struct MOUPAnnouncement: Encodable {
    var id: Int64
    var title: String
    var content: String
    var sentAt: LocalDateTime

    init(_ notice: Notice) {
        id = notice.id
        title = notice.title
        content = notice.body
        sentAt = LocalDateTime(notice.at)
    }
}

/// A notification as MOUP reads it (contract 1.3).
struct MOUPNotification: Encodable {
    var id: Int64
    /// 0 for what came by itself, and for who has left: the app reads no null there.
    var senderId: Int64
    var receiverId: Int64
    var title: String
    var content: String
    var sentAt: LocalDateTime
    @Nullable var readAt: LocalDateTime?

    init(_ notice: Notice, receiver: Int64) {
        id = notice.id
        senderId = notice.sender ?? 0
        receiverId = receiver
        title = notice.title
        content = notice.body
        sentAt = LocalDateTime(notice.at)
        readAt = notice.readAt.map(LocalDateTime.init)
    }
}
