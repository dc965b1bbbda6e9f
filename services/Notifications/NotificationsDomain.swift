import AsyncHTTPClient
import Events
import FoundationEssentials
import Logging
import Postgres
import Profiles
import ServiceKit

/// The use cases of the service and their dependencies.
struct NotificationsDomain: Sendable {
    let people: People
    let devices: Devices
    let queue: PushQueue
    let conversations: Conversations
    let alarms: InAppNotifications
    let announcements: Announcements
    let broadcasts: Broadcasts
    let preferences: Preferences
    let administration: Administration
    let withdrawal: Withdrawal
    let sender: PushSender
    let retention: Retention

    init(
        _ configuration: NotificationsConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        people: People,
        auth: InternalClient,
        http: HTTPClient,
        logger: Logger
    ) {
        let now = configuration.now
        self.people = people
        devices = Devices(database: database, now: now)
        let apps = configuration.fcmCredentials.apps
        queue = PushQueue(apps: apps, now: now)
        conversations = Conversations(queue: queue, now: now)
        retention = Retention(database: database, now: now)
        alarms = InAppNotifications(database: database, queue: queue, now: now)
        announcements = Announcements(database: database, now: now)
        broadcasts = Broadcasts(database: database, queue: queue, now: now)
        preferences = Preferences(database: database)
        administration = Administration(
            database: database,
            auth: auth,
            people: people,
            alarms: alarms,
            broadcasts: broadcasts
        )
        withdrawal = Withdrawal(
            people: people,
            devices: devices,
            conversations: conversations,
            alarms: alarms,
            announcements: announcements,
            preferences: preferences,
            outbox: outbox,
            now: now
        )
        let fcm = FCMClient(
            url: configuration.fcmURL,
            credentials: configuration.fcmCredentials,
            timeout: configuration.fcmTimeout,
            http: http,
            now: now
        )
        let blocks = BlockFilter(auth: auth)
        sender = PushSender(database: database, apps: apps, pace: configuration.pace, logger: logger, now: now) {
            push in
            switch await blocks.isBlocked(push) {
            case true?: .quiet
            case nil: .undecided
            case false?: await fcm.send(push)
            }
        }
    }
}
