import Contracts
import Hummingbird
import Outbox
import ServiceHost

/// The URL map of the notifications service, an app at a time, and what other processes of ours tell.
struct Routes {
    let domain: NotificationsDomain
    let inbox: Inbox

    init(_ domain: NotificationsDomain, inbox: Inbox) {
        self.domain = domain
        self.inbox = inbox
    }

    func add(to router: RouterGroup<AppRequestContext>) {
        seatcatcher(router.app(.seatcatcher).signedIn)
        moup(router.app(.moup).signedIn)
        anlaka(router.app(.anlaka).signedIn)
        culture(router.app(.culture).signedIn)
        withSuhyeon(router.app(.withsuhyeon))
        processes(router)
    }

    /// SeatCatcher (contract 1.5, calls 28 to 32).
    private func seatcatcher(_ app: RouterGroup<SignedInContext>) {
        let alarms = AlarmRoutes(list: domain.alarms, id: "alarmId")
        app.get("alarms", use: alarms.root)
        app.get("alarms/me", use: alarms.list)
        app.get("alarms/:alarmId", use: alarms.show)
        app.delete("alarms/:alarmId", use: alarms.delete)
        let announcements = AlarmRoutes(list: domain.announcements, id: "announcementId")
        app.get("alarms/me/announcements", use: announcements.list)
        app.get("alarms/me/announcements/:announcementId", use: announcements.show)
        app.delete("alarms/me/announcements/:announcementId", use: announcements.delete)
        app.post("fcm/token", use: DeviceRoutes(devices: domain.devices).seatcatcher)
        add(PreferenceRoutes(preferences: domain.preferences), to: app, at: "alarms/me/preferences")
    }

    /// MOUP (contract 1.4, calls 6, 50 to 61, 64 and 65).
    private func moup(_ app: RouterGroup<SignedInContext>) {
        let announcements = MOUPNoticeRoutes(list: domain.announcements, id: "announcementId", isReadOnce: false) {
            notice,
            _ in MOUPAnnouncement(notice)
        }
        app.get("alarms/announcements", use: announcements.list)
        app.delete("alarms/announcements", use: announcements.deleteAll)
        app.patch("alarms/announcements/read", use: announcements.readAll)
        app.get("alarms/announcements/:announcementId", use: announcements.show)
        app.delete("alarms/announcements/:announcementId", use: announcements.delete)
        app.patch("alarms/announcements/:announcementId/read", use: announcements.read)

        let notifications = MOUPNoticeRoutes(list: domain.alarms, id: "notificationId", isReadOnce: true) {
            MOUPNotification($0, receiver: $1)
        }
        app.get("alarms/notifications", use: notifications.list)
        app.delete("alarms/notifications", use: notifications.deleteAll)
        app.patch("alarms/notifications/read", use: notifications.readAll)
        app.get("alarms/notifications/:notificationId", use: notifications.show)
        app.delete("alarms/notifications/:notificationId", use: notifications.delete)
        app.patch("alarms/notifications/:notificationId/read", use: notifications.read)

        let admin = AdminRoutes(administration: domain.administration)
        app.post("admin/alarms/announcements", use: admin.announce)
        app.post("admin/alarms/notification", use: admin.write)
        app.patch("users/fcm-token", use: DeviceRoutes(devices: domain.devices).moup)
        add(PreferenceRoutes(preferences: domain.preferences), to: app, at: "alarms/preferences")
    }

    /// Anlaka (contract 2.1, call 12; 2.4, calls 33 and 34); the lists are ours.
    private func anlaka(_ app: RouterGroup<SignedInContext>) {
        sesac(app)
        let push = FreePushRoutes()
        app.post("v1/notifications/push", use: push.one)
        app.post("v1/notifications/push/group", use: push.group)
    }

    /// Seoul Culture, whose app has none of it.
    private func culture(_ app: RouterGroup<SignedInContext>) {
        sesac(app)
    }

    private func sesac(_ app: RouterGroup<SignedInContext>) {
        app.put("v1/users/deviceToken", use: DeviceRoutes(devices: domain.devices).sesac)
        addNotices(as: SeSACNotices(), to: app, at: "v1/notifications")
        add(PreferenceRoutes(preferences: domain.preferences), to: app, at: "v1/notifications/preferences")
    }

    /// With Suhyeon (contract 1.2, call 35); what is below `/api/v1` is ours.
    private func withSuhyeon(_ app: RouterGroup<AppRequestContext>) {
        let devices = DeviceRoutes(devices: domain.devices)
        app.post("api/vi/fcm/token", use: devices.anonymous)
        let signedIn = app.signedIn
        signedIn.put("api/v1/fcm/token", use: devices.withSuhyeon)
        addNotices(as: WithSuhyeonNotices(), to: signedIn, at: "api/v1/notifications")
        let preferences = PreferenceRoutes(preferences: domain.preferences) { try .withSuhyeon($0) }
        add(preferences, to: signedIn, at: "api/v1/notifications/preferences")
    }

    private func addNotices(as wire: any NoticeWire, to app: RouterGroup<SignedInContext>, at path: String) {
        let lists: [(path: String, list: any NoticeList)] = [
            (path, domain.alarms), ("\(path)/announcements", domain.announcements),
        ]
        for (path, list) in lists {
            let notices = NoticeRoutes(list: list, wire: wire)
            let group = app.group(RouterPath(path))
            group.get(use: notices.list)
            group.delete(use: notices.deleteAll)
            group.patch("read", use: notices.readAll)
            group.delete(":notificationId", use: notices.delete)
            group.patch(":notificationId/read", use: notices.read)
        }
    }

    private func add(_ preferences: PreferenceRoutes, to app: RouterGroup<SignedInContext>, at path: RouterPath) {
        app.get(path, use: preferences.show)
        app.put(path, use: preferences.change)
    }

    /// What other processes of ours tell.
    private func processes(_ router: RouterGroup<AppRequestContext>) {
        inbox.add(to: router)
        router.post("internal/announcements", use: AnnouncementRoutes(broadcasts: domain.broadcasts).send)
    }
}
