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
    private let stream: StreamWire

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
        stream = StreamWire(domain, secret: configuration.host.internalSecret)
    }

    var sockets: [SocketRoute] {
        [
            // anlaka
            // withsuhyeon
        ] + stream.sockets
    }

    /// Begins to listen, before the first socket comes.
    func begin() async {
        await feed.tell(
            { notice in
                // anlaka
                // withsuhyeon
                stream.hear(notice)
            },
            anew: {
                // withsuhyeon
            }
        )
    }
}
