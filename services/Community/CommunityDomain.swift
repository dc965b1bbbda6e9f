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
    // anlaka
    let culturePosts: CulturePosts
    let follows: Follows
    let purchases: Purchases
    let events: CulturalEvents
    let calendar: CalendarRefresh
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
        follows = Follows(database: database, people: people)
        purchases = Purchases(database: database, people: people)
        let favourites = Favourites(database: database, people: people)
        withdrawal = Withdrawal(
            people: people,
            attachments: attachments,
            follows: follows,
            favourites: favourites,
            purchases: purchases,
            outbox: outbox,
            now: configuration.now
        )
        likes = Likes(database: database, people: people, now: configuration.now)
        reports = Reports(
            database: database,
            people: people,
            hidingCount: configuration.reportsToHide,
            now: configuration.now
        )
        anlakaComments = Comments(database: database, people: people, on: .posts(of: .anlaka))
        cultureComments = Comments(database: database, people: people, on: .posts(of: .culture))
        // anlaka
        culturePosts = CulturePosts(
            database: database,
            people: people,
            posts: posts,
            favourites: favourites,
            comments: cultureComments
        )
        events = CulturalEvents(database: database, people: people, favourites: favourites)
        let feed = CalendarFeed(url: configuration.seoulURL, key: configuration.seoulKey)
        calendar = CalendarRefresh(database: database, now: configuration.now, fetch: feed.part)
        // withsuhyeon
    }
}
