import Apps
import Contracts
import Logging
import Postgres
import ServiceKit
import Sockets

/// The live part of the service: one feed, and the socket endpoints that use it.
struct Live: Sendable {
    let feed: LiveFeed
    private let presences: Presences
    /// Anlaka's app.
    private let rooms: SocketIOEndpoint<RoomSockets>
    /// With Suhyeon's app.
    let companionRooms: WithSuhyeonRooms
    let companions: WithSuhyeonConnections
    /// New clients of both.
    private let stream: StreamWire
    private let revocations: MissedRevocations

    init(
        _ domain: ChatDomain,
        database: PostgresClient,
        auth: InternalClient,
        community: InternalClient,
        _ configuration: ChatConfiguration,
        logger: Logger
    ) {
        feed = domain.feed
        presences = domain.presences
        rooms = SocketIOEndpoint(RoomSockets(domain, configuration, logger: logger))
        companionRooms = WithSuhyeonRooms(
            database: database,
            people: domain.people,
            withdrawal: domain.withdrawal,
            auth: auth,
            community: community
        )
        companions = WithSuhyeonConnections(
            domain,
            companions: companionRooms,
            auth: auth,
            announcer: database.announcer,
            now: configuration.now,
            logger: logger
        )
        stream = StreamWire(domain)
        revocations = MissedRevocations(sessions: domain.sessions)
    }

    var sockets: [SocketRoute] {
        [
            SocketRoute(\Anlaka.connectSocketIO, rooms),
            SocketRoute(\WithSuhyeon.connectChat, WithSuhyeonEndpoint(connections: companions)),
        ] + stream.sockets
    }

    /// Registers the endpoints with the feed. Must run before the first socket connects.
    func begin() async {
        presences.onExpiry { [companions] in companions.handleExpiry() }
        let handle = { @Sendable [rooms, companions, stream] (notification: ChangeNotification) in
            rooms.handle(notification)
            companions.handle(notification)
            stream.handle(notification)
        }
        await feed.onNotification(
            { notification in handle(notification) },
            missed: { [companions, revocations] in
                companions.handleMissedNotifications()
                try await revocations.read { handle(.sessionRevoked($0)) }
            }
        )
    }
}
