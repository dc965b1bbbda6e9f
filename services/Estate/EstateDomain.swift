import Events
import Files
import FoundationEssentials
import Postgres
import Profiles
import ServiceKit

/// The use cases of the service and their dependencies.
struct EstateDomain: Sendable {
    let people: People
    let withdrawal: Withdrawal
    let reservations: Reservations
    let listings: Listings
    let map: ListingMap
    let clusters: MapClusters
    let likes: Likes
    let picks: FeaturedListings
    let topics: Topics
    let comments: Comments<ListingID>

    let places: Places
    let labels: RegionLabels

    let pictures: Pictures

    init(
        _ configuration: EstateConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        people: People,
        community: InternalClient
    ) {
        self.people = people
        let uploads = Uploads(database: database, configuration.files, waitingLimit: Pictures.waitingLimit)
        pictures = Pictures(uploads: uploads, people: people, fetch: community.fileOfPost)
        withdrawal = Withdrawal(people: people, outbox: outbox, pictures: pictures, now: configuration.now)
        reservations = Reservations(database: database)
        let veil = LocationObfuscator(secret: configuration.positionSecret)
        let clusters = MapClusters(database: database)
        self.clusters = clusters
        listings = Listings(
            database: database,
            people: people,
            pictures: pictures,
            veil: veil,
            now: configuration.now,
            created: clusters.forget
        )
        map = ListingMap(database: database, limit: configuration.mapLimit)
        likes = Likes(database: database, people: people, now: configuration.now)
        picks = FeaturedListings(database: database, now: configuration.now)
        topics = Topics(database: database, now: configuration.now)
        comments = Comments(database: database, people: people, on: .listings)

        let kakao = KakaoLocalClient(url: configuration.kakaoURL, key: configuration.kakaoKey)
        let answers = PlaceCache(database: database, now: configuration.now)
        let quota = PlaceQuota(
            database: database,
            perAccount: configuration.placesPerAccount,
            perDay: configuration.placesPerDay,
            now: configuration.now
        )
        places = Places(cache: answers, source: kakao.source, quota: quota)
        labels = RegionLabels(database: database, places: places, now: configuration.now)
    }
}
