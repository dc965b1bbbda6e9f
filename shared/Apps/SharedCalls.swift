/// The calls that list and end a user's sessions: the same in every app, below a path of its own.
package protocol SessionCalls: AppCatalogue {
    var listSessions: Operation { get }
    var endOtherSessions: Operation { get }
    var renameSession: Operation { get }
    var endSession: Operation { get }
}

/// The webhooks by which Apple and Kakao report what a user did with the link between the accounts.
package protocol ProviderWebhookCalls: AppCatalogue {
    var receiveAppleNotification: Operation { get }
    var receiveKakaoUnlink: Operation { get }
    var receiveKakaoUnlinkByPost: Operation { get }
}

/// The calls for notifications, announcements and preferences of apps that have none of their own.
package protocol NotificationCalls: AppCatalogue {
    var listNotifications: Operation { get }
    var deleteNotifications: Operation { get }
    var markNotificationsRead: Operation { get }
    var deleteNotification: Operation { get }
    var markNotificationRead: Operation { get }
    var listAnnouncements: Operation { get }
    var deleteAnnouncements: Operation { get }
    var markAnnouncementsRead: Operation { get }
    var deleteAnnouncement: Operation { get }
    var markAnnouncementRead: Operation { get }
}

extension SeatCatcher: SessionCalls, ProviderWebhookCalls {}
extension MOUP: SessionCalls, ProviderWebhookCalls {}
extension Anlaka: SessionCalls, ProviderWebhookCalls, NotificationCalls {}
extension Culture: SessionCalls, NotificationCalls {}
extension WithSuhyeon: SessionCalls, ProviderWebhookCalls, NotificationCalls {}
