import Apps
import Authentication
import Contracts
import Logging
import Postgres
import ServiceKit
import Sockets

/// The socket side of the service: the hub, the feed that fills it, and the STOMP endpoint at `/seatcatcher`.
struct Live: Sendable {
    let feed: LiveFeed
    let socket: SocketRoute

    init(
        _ domain: SeatsDomain,
        database: PostgresClient,
        keys: PublishedKeys,
        verifier: AccessTokenVerifier,
        logger: Logger
    ) {
        let hub = STOMPHub()
        let views = CarViews(database: database, hub: hub)
        let sessions = LiveSessions(hub: hub, views: views)
        feed = LiveFeed(database: database, hub: hub, views: views, sessions: sessions, logger: logger)
        let service = LiveService(
            database: database,
            keys: keys,
            verifier: verifier,
            hub: hub,
            sessions: sessions,
            feed: feed,
            cars: domain.cars,
            aliases: domain.aliases,
            journeys: domain.journeys
        )
        socket = SocketRoute(\SeatCatcher.connectSTOMP, STOMPEndpoint(service))
    }
}
