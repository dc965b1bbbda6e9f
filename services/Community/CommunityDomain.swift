import Comments
import Contracts
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
    let likes: Likes
    let reports: Reports
    /// What people say of Anlaka's posts.
    let anlakaComments: Comments
    /// What people say of Seoul Culture's posts.
    let cultureComments: Comments
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
        likes = Likes(database: database, people: people, now: configuration.now)
        reports = Reports(
            database: database,
            people: people,
            hidingCount: configuration.reportsToHide,
            now: configuration.now
        )
        anlakaComments = Comments(database: database, people: people, on: .posts(of: .anlaka))
        cultureComments = Comments(database: database, people: people, on: .posts(of: .culture))
        // culture
        // withsuhyeon
    }
}
