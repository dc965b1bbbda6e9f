import Contracts

/// An announcement that is on its way to phones.
struct OngoingAnnouncement: Sendable, Equatable {
    var id: Int64
    var app: App
    var title: String
    var content: String?
    /// The last phone that was there when it was sent.
    var lastDevice: Int64
    /// Accounts up to this one have been told.
    var pushedThrough: Int64

    /// What phones show: an announcement without content is all title.
    var push: PushContent {
        PushContent(
            kind: PushKind.announcement,
            title: content == nil ? "공지사항" : ShownText.line(title),
            body: ShownText.lines(content ?? title),
            data: ["type": PushKind.announcement, "announcementId": String(id)]
        )
    }
}
