import FoundationEssentials
import Outbox
import Postgres

/// The use cases of the service, put together.
struct EstateDomain: Sendable {
    let people: People
    let withdrawal: Withdrawal
    let reservations: Reservations
    let listings: Listings
    let map: ListingMap
    let clusters: MapClusters

    // likes, picks and comments

    let places: Places
    let labels: RegionLabels

    // pictures

    init(
        _ configuration: EstateConfiguration,
        database: PostgresClient,
        outbox: Outbox,
        ask: @escaping @Sendable (Int64) async throws -> Person?
    ) {
        people = People(database: database, ask: ask)
        withdrawal = Withdrawal(outbox: outbox, now: configuration.now)
        reservations = Reservations(database: database)
        let veil = PositionVeil(secret: configuration.positionSecret)
        listings = Listings(database: database, people: people, veil: veil, now: configuration.now)
        map = ListingMap(database: database, limit: configuration.mapLimit)
        clusters = MapClusters(database: database)

        // likes, picks and comments

        let kakao = KakaoLocalClient(url: configuration.kakaoURL, key: configuration.kakaoKey)
        let answers = PlaceCache(database: database, now: configuration.now)
        places = Places(cache: answers, source: kakao.source)
        labels = RegionLabels(database: database, places: places, now: configuration.now)

        // pictures
    }
}
