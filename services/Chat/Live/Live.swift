import Contracts
import InternalClient
import Logging
import Postgres
import ServiceHost
import SocketIO

/// The live side of the service, put together: one feed, and the wires that hang on it.
struct Live: Sendable {
    let feed: LiveFeed
    /// Anlaka's app.
    private let rooms: SocketIOEndpoint<RoomSockets>
    /// With Suhyeon's app.
    let companionRooms: CompanionRooms
    let companions: CompanionHouse
    /// New clients of both.
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
        rooms = SocketIOEndpoint(RoomSockets(domain, configuration, logger: logger))
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
        stream = StreamWire(domain, secret: configuration.host.internalSecret)
    }

    var sockets: [SocketRoute] {
        [
            SocketRoute(.anlaka, "/socket.io", rooms),
            SocketRoute(.withsuhyeon, "/chat", CompanionEndpoint(house: companions)),
        ] + stream.sockets
    }

    /// Begins to listen, before the first socket comes.
    func begin() async {
        await feed.tell(
            { [rooms, companions, stream] notice in
                rooms.hear(notice)
                companions.hear(notice)
                stream.hear(notice)
            },
            anew: { [companions] in companions.hearAnew() }
        )
    }
}
