import FoundationEssentials
import InternalClient
import Outbox
import People
import Postgres
import Uploads

/// The use cases of the service, put together.
struct CommunityDomain: Sendable {
    let people: People
    let attachments: Attachments
    let posts: Posts
    let withdrawal: Withdrawal
    // anlaka
    // culture
    // withsuhyeon

    init(
        _ configuration: CommunityConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        people: People,
        auth: InternalClient
    ) {
        self.people = people
        let uploads = Uploads(database: database, configuration.files, waitingLimit: Attachments.waitingLimit)
        attachments = Attachments(uploads: uploads, people: people)
        posts = Posts(database: database, people: people, attachments: attachments, now: configuration.now)
        withdrawal = Withdrawal(people: people, attachments: attachments, outbox: outbox, now: configuration.now)
        // anlaka
        // culture
        // withsuhyeon
    }
}
