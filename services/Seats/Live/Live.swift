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
        let announcer = database.announcer
        let (watched, watching) = AsyncStream<LiveTopic>.makeStream()
        let hub = STOMPHub { topic, hasSubscribers in
            guard LiveTopic(name: topic) != nil else { return }
            guard hasSubscribers else { return announcer.unwatch(topic, on: LiveNotification.channel) }
            announcer.watch(topic, on: LiveNotification.channel)
            if let topic = LiveTopic(name: topic), !topic.isEveryCar { watching.yield(topic) }
        }
        let views = CarViews(database: database, hub: hub)
        let sessions = LiveSessions(hub: hub, views: views, announcer: announcer)
        feed = LiveFeed(
            database: database,
            hub: hub,
            watched: watched,
            views: views,
            sessions: sessions,
            logger: logger
        )
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
