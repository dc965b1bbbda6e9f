import Contracts
import InternalClient
import Logging
import Postgres
import ServiceHost

/// The live side of the service, put together: one feed, and the wires that hang on it.
struct Live: Sendable {
    let feed: LiveFeed
    // anlaka
    // withsuhyeon
    let companionRooms: CompanionRooms
    let companions: CompanionHouse
    // stream

    init(
        _ domain: ChatDomain,
        database: PostgresClient,
        auth: InternalClient,
        community: InternalClient,
        _ configuration: ChatConfiguration,
        logger: Logger
    ) {
        feed = domain.feed
        // anlaka
        // withsuhyeon
        companionRooms = CompanionRooms(
            database: database,
            people: domain.people,
            withdrawal: domain.withdrawal,
            auth: auth,
            community: community
        )
        companions = CompanionHouse(
            domain,
            companions: companionRooms,
            auth: auth,
            now: configuration.now,
            logger: logger
        )
        // stream
    }

    var sockets: [SocketRoute] {
        [
            // anlaka
            // withsuhyeon
            SocketRoute(.withsuhyeon, "/chat", CompanionEndpoint(house: companions))
            // stream
        ]
    }

    /// Begins to listen, before the first socket comes.
    func begin() async {
        await feed.tell(
            { notice in
                // anlaka
                // withsuhyeon
                companions.hear(notice)
                // stream
            },
            anew: {
                // withsuhyeon
                companions.hearAnew()
            }
        )
    }
}
