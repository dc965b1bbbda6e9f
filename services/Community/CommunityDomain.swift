import Contracts
import Events
import Files
import FoundationEssentials
import Logging
import Postgres
import Profiles
import ServiceKit

/// The use cases of the service and their dependencies.
struct CommunityDomain: Sendable {
    let people: People
    let attachments: Attachments
    let posts: Posts
    let withdrawal: Withdrawal
    let likes: Likes
    let reports: Reports
    let reportReviews: ReportReviews
    /// Comments on Anlaka's posts.
    let anlakaComments: Comments<PostID>
    /// Comments on Seoul Culture's posts.
    let cultureComments: Comments<PostID>
    let culturePosts: CulturePosts
    let follows: Follows
    let purchases: Purchases
    let events: CulturalEvents
    let calendar: CalendarRefresh
    let companions: Companions
    let gallery: Gallery
    let attendance: Attendance
    /// The gateway's URL for clients.
    let publicURL: String

    init(
        _ configuration: CommunityConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        people: People,
        auth: InternalClient,
        logger: Logger = Logger(label: "community")
    ) {
        self.people = people
        let uploads = Uploads(database: database, configuration.files, waitingLimit: Attachments.waitingLimit)
        attachments = Attachments(uploads: uploads, people: people)
        posts = Posts(database: database, people: people, attachments: attachments, now: configuration.now)
        follows = Follows(database: database, people: people, outbox: outbox)
        purchases = Purchases(database: database, people: people)
        let favourites = FavoriteEvents(database: database, people: people)
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
            reporterAge: configuration.reporterAge / .seconds(1),
            now: configuration.now
        )
        reportReviews = ReportReviews(database: database, now: configuration.now)
        func comments(of app: App) -> Comments<PostID> {
            let news = CommentNews(of: app, outbox: outbox)
            return Comments(database: database, people: people, on: .posts(of: app)) { comment, post, transaction in
                try await news.tell(of: comment, on: post, in: transaction)
            }
        }
        anlakaComments = comments(of: .anlaka)
        cultureComments = comments(of: .culture)
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
        companions = Companions(
            database: database,
            people: people,
            outbox: outbox,
            auth: auth,
            chat: InternalClient(toChatOf: configuration),
            now: configuration.now
        )
        gallery = Gallery(
            database: database,
            people: people,
            attachments: attachments,
            publicURL: configuration.publicURL
        )
        attendance = Attendance(database: database, people: people, now: configuration.now)
        publicURL = configuration.publicURL
    }
}

extension InternalClient {
    /// nil when chat is not configured.
    init?(toChatOf configuration: CommunityConfiguration) {
        guard !configuration.chatURLs.isEmpty else { return nil }
        self.init(to: .chat, at: configuration.chatURLs, from: configuration.host)
    }
}
