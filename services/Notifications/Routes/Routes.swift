import Apps
import Contracts
import Events
import Hummingbird
import ServiceKit

/// The routes of the notifications service, per app, and the internal routes for other services and operators.
struct Routes {
    let domain: NotificationsDomain
    let inbox: Inbox

    init(_ domain: NotificationsDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: ServiceRouter) {
        seatcatcher(router.app(SeatCatcher.self))
        moup(router.app(MOUP.self))
        anlaka(router.app(Anlaka.self))
        culture(router.app(Culture.self))
        withSuhyeon(router.app(WithSuhyeon.self))
        processes(router)
    }

    /// SeatCatcher (contract 1.5, calls 28 to 32).
    private func seatcatcher(_ app: AppRoutes<SeatCatcher>) {
        let alarms = SeatCatcherAlarmRoutes(list: domain.alarms, id: "alarmId")
        app.on(\.getAlarmRoot, use: alarms.root)
        app.on(\.listAlarms, use: alarms.list)
        app.on(\.getAlarm, use: alarms.show)
        app.on(\.deleteAlarm, use: alarms.delete)
        let announcements = SeatCatcherAlarmRoutes(list: domain.announcements, id: "announcementId")
        app.on(\.listAnnouncements, use: announcements.list)
        app.on(\.getAnnouncement, use: announcements.show)
        app.on(\.deleteAnnouncement, use: announcements.delete)
        app.on(\.registerPushToken, use: DeviceRoutes(devices: domain.devices).seatcatcher)
        let preferences = PreferenceRoutes(preferences: domain.preferences)
        app.on(\.getPreferences, use: preferences.show)
        app.on(\.updatePreferences, use: preferences.change)
    }

    /// MOUP (contract 1.4, calls 6, 50 to 61, 64 and 65).
    private func moup(_ app: AppRoutes<MOUP>) {
        let announcements = MOUPNotificationRoutes(list: domain.announcements, id: "announcementId", isReadOnce: false)
        {
            notice,
            _ in MOUPAnnouncement(notice)
        }
        app.on(\.listAnnouncements, use: announcements.list)
        app.on(\.deleteAnnouncements, use: announcements.deleteAll)
        app.on(\.markAnnouncementsRead, use: announcements.readAll)
        app.on(\.getAnnouncement, use: announcements.show)
        app.on(\.deleteAnnouncement, use: announcements.delete)
        app.on(\.markAnnouncementRead, use: announcements.read)

        let notifications = MOUPNotificationRoutes(list: domain.alarms, id: "notificationId", isReadOnce: true) {
            MOUPNotification($0, receiver: $1)
        }
        app.on(\.listNotifications, use: notifications.list)
        app.on(\.deleteNotifications, use: notifications.deleteAll)
        app.on(\.markNotificationsRead, use: notifications.readAll)
        app.on(\.getNotification, use: notifications.show)
        app.on(\.deleteNotification, use: notifications.delete)
        app.on(\.markNotificationRead, use: notifications.read)

        let admin = AdminRoutes(administration: domain.administration)
        app.on(\.createAnnouncement, use: admin.announce)
        app.on(\.createNotification, use: admin.write)
        app.on(\.registerPushToken, use: DeviceRoutes(devices: domain.devices).moup)
        let preferences = PreferenceRoutes(preferences: domain.preferences)
        app.on(\.getPreferences, use: preferences.show)
        app.on(\.updatePreferences, use: preferences.change)
    }

    /// Anlaka (contract 2.1, call 12; 2.4, calls 33 and 34). The lists are not in the app's contract.
    private func anlaka(_ app: AppRoutes<Anlaka>) {
        app.on(\.registerPushToken, use: DeviceRoutes(devices: domain.devices).sesac)
        addNotices(as: SeSACNotificationFormat(), to: app)
        let preferences = PreferenceRoutes(preferences: domain.preferences)
        app.on(\.getPreferences, use: preferences.show)
        app.on(\.updatePreferences, use: preferences.change)
        let push = FreePushRoutes()
        app.on(\.sendPush, use: push.one)
        app.on(\.sendGroupPush, use: push.group)
    }

    /// Seoul Culture. None of these calls is in the app's contract.
    private func culture(_ app: AppRoutes<Culture>) {
        app.on(\.registerPushToken, use: DeviceRoutes(devices: domain.devices).sesac)
        addNotices(as: SeSACNotificationFormat(), to: app)
        let preferences = PreferenceRoutes(preferences: domain.preferences)
        app.on(\.getPreferences, use: preferences.show)
        app.on(\.updatePreferences, use: preferences.change)
    }

    /// With Suhyeon (contract 1.2, call 35). The calls below `/api/v1` are not in the app's contract.
    private func withSuhyeon(_ app: AppRoutes<WithSuhyeon>) {
        let devices = DeviceRoutes(devices: domain.devices)
        app.on(\.registerPushTokenAnonymously, use: devices.anonymous)
        app.on(\.registerPushToken, use: devices.withSuhyeon)
        addNotices(as: WithSuhyeonNotificationFormat(), to: app)
        let preferences = PreferenceRoutes(preferences: domain.preferences) { try .withSuhyeon($0) }
        app.on(\.getPreferences, use: preferences.show)
        app.on(\.updatePreferences, use: preferences.change)
    }

    private func addNotices(as wire: any NotificationFormat, to app: AppRoutes<some NotificationCalls>) {
        let notifications = NotificationRoutes(list: domain.alarms, wire: wire)
        app.on(\.listNotifications, use: notifications.list)
        app.on(\.deleteNotifications, use: notifications.deleteAll)
        app.on(\.markNotificationsRead, use: notifications.readAll)
        app.on(\.deleteNotification, use: notifications.delete)
        app.on(\.markNotificationRead, use: notifications.read)
        let announcements = NotificationRoutes(list: domain.announcements, wire: wire)
        app.on(\.listAnnouncements, use: announcements.list)
        app.on(\.deleteAnnouncements, use: announcements.deleteAll)
        app.on(\.markAnnouncementsRead, use: announcements.readAll)
        app.on(\.deleteAnnouncement, use: announcements.delete)
        app.on(\.markAnnouncementRead, use: announcements.read)
    }

    /// Internal routes for other services and operators.
    private func processes(_ router: ServiceRouter) {
        inbox.add(to: router)
        let announcements = AnnouncementRoutes(broadcasts: domain.broadcasts)
        router.on(.post, "internal/announcements", from: .stack, use: announcements.send)
    }
}
