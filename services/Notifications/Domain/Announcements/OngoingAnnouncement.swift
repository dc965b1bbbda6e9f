import Contracts

/// An announcement that is being queued for devices.
struct OngoingAnnouncement: Sendable, Equatable {
    var id: AnnouncementID
    var app: App
    var title: String
    var content: String?
    /// ID of the newest device at the time of the announcement.
    var lastDevice: DeviceID
    /// Accounts up to this one are done.
    var pushedThrough: AccountID

    /// The push. Without content the title becomes the body.
    var push: PushContent {
        PushContent(
            kind: PushKind.announcement,
            title: content == nil ? "공지사항" : ShownText.line(title),
            body: ShownText.lines(content ?? title),
            data: ["type": PushKind.announcement, "announcementId": String(id)]
        )
    }
}
