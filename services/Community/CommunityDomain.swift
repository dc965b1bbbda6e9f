import Authentication
import Contracts
import FoundationEssentials
import InternalClient
import Logging
import Outbox
import People
import Postgres
import ServiceHost
import Uploads

/// The use cases of the service, put together.
struct CommunityDomain: Sendable {
    let people: People
    let attachments: Attachments
    let posts: Posts
    let withdrawal: Withdrawal
    // anlaka
    // culture
    let companions: Companions
    let gallery: Gallery
    let attendance: Attendance
    /// Where phones reach the gateway.
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
        withdrawal = Withdrawal(people: people, attachments: attachments, outbox: outbox, now: configuration.now)
        // anlaka
        // culture
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
        let keys = PublishedKeys(logger: logger) { try await auth.get("/internal/keys", as: JWKS.self) }
        attendance = Attendance(
            database: database,
            people: people,
            tokens: AccessTokens(of: .anlaka, keys: keys, now: configuration.now),
            now: configuration.now
        )
        publicURL = configuration.publicURL
    }
}

extension InternalClient {
    /// nil while there is no chat.
    init?(toChatOf configuration: CommunityConfiguration) {
        guard !configuration.chatURLs.isEmpty else { return nil }
        self.init(
            to: "chat",
            at: configuration.chatURLs,
            from: "community",
            secret: configuration.host.internalSecret
        )
    }
}
