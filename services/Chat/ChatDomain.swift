import Contracts
import Events
import Files
import FoundationEssentials
import Logging
import Postgres
import Profiles
import ServiceKit

/// The use cases of the service and their dependencies.
struct ChatDomain: Sendable {
    let people: People
    let attachments: Attachments
    let rooms: Rooms
    let messages: Messages
    let blocks: Blocks
    let presences: Presences
    let membership: RoomMembership
    let sessions: Sessions
    let withdrawal: Withdrawal
    let retention: RoomRetention
    let feed: LiveFeed
    let joins = JoinTurns()
    let lookup: RoomLookup

    init(
        _ configuration: ChatConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        people: People,
        logger: Logger = Logger(label: "chat")
    ) {
        self.people = people
        let uploads = Uploads(database: database, configuration.files, waitingLimit: Attachments.waitingLimit)
        let attachments = Attachments(database: database, uploads: uploads, people: people)
        self.attachments = attachments
        rooms = Rooms(database: database, people: people, outbox: outbox)
        let feed = LiveFeed(database: database, logger: logger)
        self.feed = feed
        let batches = MessageBatch(attachments: attachments, outbox: outbox, now: configuration.now)
        messages = Messages(
            database: database,
            writer: MessageWriter(database: database, batches: batches, publish: feed.publish),
            attachments: attachments,
            outbox: outbox,
            now: configuration.now,
            publish: feed.publish
        )
        blocks = Blocks(database: database, people: people)
        presences = Presences(database: database, logger: logger)
        membership = RoomMembership(
            database: database,
            people: people,
            rooms: rooms,
            presences: presences,
            gracePeriod: configuration.membershipGracePeriod
        )
        lookup = RoomLookup(database: database)
        sessions = Sessions(database: database, people: people)
        withdrawal = Withdrawal(people: people, attachments: attachments, outbox: outbox, now: configuration.now)
        retention = RoomRetention(
            database: database,
            attachments: attachments,
            withdrawal: withdrawal,
            now: configuration.now
        )
    }
}
