import Contracts
import InternalClient
import Logging
import Postgres
import ServiceHost
import SocketIO

/// The live side of the service, put together: one feed, and the wires that hang on it.
struct Live: Sendable {
    let feed: LiveFeed
    // anlaka
    private let rooms: SocketIOEndpoint<RoomSockets>
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
        rooms = SocketIOEndpoint(RoomSockets(domain, configuration))
        // withsuhyeon
        // stream
    }

    var sockets: [SocketRoute] {
        [
            // anlaka
            SocketRoute(.anlaka, "/socket.io", rooms)
            // withsuhyeon
            // stream
        ]
    }

    /// Begins to listen, before the first socket comes.
    func begin() async {
        await feed.tell(
            { [rooms] notice in
                // anlaka
                rooms.hear(notice)
                // withsuhyeon
                // stream
            },
            anew: {
                // withsuhyeon
            }
        )
    }
}
