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
        // stream
    }

    var sockets: [SocketRoute] {
        [
            // anlaka
            // withsuhyeon
            // stream
        ]
    }

    /// Begins to listen, before the first socket comes.
    func begin() async {
        await feed.tell(
            { _ in
                // anlaka
                // withsuhyeon
                // stream
            },
            anew: {
                // withsuhyeon
            }
        )
    }
}
