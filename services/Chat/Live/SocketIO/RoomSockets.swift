import Contracts
import FoundationEssentials
import HTTPTypes
import Logging
import NIOCore
import Profiles
import ServiceKit
import Sockets

/// Anlaka's sockets (contract 5): one namespace per room, in which its members receive new messages.
struct RoomSockets: SocketIOService {
    let domain: ChatDomain
    let broadcasts: RoomBroadcasts
    let now: @Sendable () -> Date
    let logger: Logger

    init(_ domain: ChatDomain, _ configuration: ChatConfiguration, logger: Logger) {
        self.domain = domain
        self.broadcasts = RoomBroadcasts(feed: domain.feed, people: domain.people)
        self.now = configuration.now
        self.logger = logger
    }

    /// Seconds. The app reads a room by REST before its socket is connected, so the messages of this period are sent
    /// again; the app ignores those that it has (Anlaka contract 4.8).
    static let replayTime: TimeInterval = 30
    /// Maximum number of messages that are sent again.
    static let replayLimit = 100

    static let namespacePrefix = "/chats-"

    func visitor(_ handshake: HTTPRequest) -> SocketPrincipal {
        SocketPrincipal(handshake, now: Int64(now().timeIntervalSince1970))
    }

    func stay(of visitor: SocketPrincipal) -> TimeAmount? {
        visitor.stay(now: Int64(now().timeIntervalSince1970))
    }

    /// A socket in a room.
    struct Membership: Sendable {
        var room: Room
        /// ID of its presence.
        var presence: UUID
    }

    func connect(
        _ socket: SocketIOSocket,
        payload: ByteBuffer?,
        as visitor: SocketPrincipal
    ) async throws(SocketIORefusal) -> Membership {
        do {
            return try await domain.joins.take { try await join(socket, as: visitor) }
        } catch {
            throw refusal(error) ?? notNow(error)
        }
    }

    private func join(_ socket: SocketIOSocket, as visitor: SocketPrincipal) async throws -> Membership {
        let (account, room) = try await room(of: socket, as: visitor)
        let membership = Membership(room: room, presence: UUID())
        do {
            try await broadcasts.join(socket, room)
            await domain.presences.enter(
                Presence(id: membership.presence, account: account, room: room.id, isReading: true)
            )
            // The app has no other way to mark messages as read.
            try await domain.rooms.read(room, by: account)
            let latest = try await domain.messages.history(of: room, after: nil, limit: Self.replayLimit, for: account)
            let moment = now().addingTimeInterval(-Self.replayTime)
            broadcasts.begin(
                socket,
                room,
                with: try await broadcasts.events(of: latest.filter { $0.createdAt > moment }, in: room),
                through: latest.last?.sequence ?? 0
            )
        } catch {
            disconnected(socket, membership)
            throw error
        }
        return membership
    }

    func disconnected(_ socket: SocketIOSocket, _ membership: Membership) {
        broadcasts.leave(socket, membership.room)
        Task { [presences = domain.presences] in await presences.leave(membership.presence) }
    }

    /// The visitor's account, and the room of a socket's namespace.
    ///
    /// - Throws: `SocketIORefusal`, `ChatError.roomNotFound`, `.notAMember`, `PersonUnknown`, `PostgresError`.
    func room(of socket: SocketIOSocket, as visitor: SocketPrincipal) async throws -> (AccountID, Room) {
        guard let account = visitor.account else { throw SocketIORefusal(visitor.refusal ?? "") }
        guard socket.namespace.hasPrefix(Self.namespacePrefix) else {
            throw SocketIORefusal("There is no such namespace.")
        }
        try await domain.people.person(account)
        let id = socket.namespace.dropFirst(Self.namespacePrefix.count)
        let publicID = try PublicID(parsing: String(id), else: ChatError.roomNotFound)
        return (account, try await domain.rooms.room(publicID, in: .anlaka, of: account))
    }

    /// The refusal for an error that another attempt would meet again; nil for any other.
    func refusal(_ error: any Error) -> SocketIORefusal? {
        switch error {
        case let refusal as SocketIORefusal: refusal
        case ChatError.roomNotFound: SocketIORefusal("There is no such room.")
        case ChatError.notAMember: SocketIORefusal("You are no participant of this room.")
        case is PersonUnknown: SocketIORefusal("You have left.")
        // The socket has closed before its turn.
        case is CancellationError: SocketIORefusal("Try again in a moment.")
        default: nil
        }
    }

    func notNow(_ error: any Error) -> SocketIORefusal {
        logger.warning("socket.io: a connection to a room failed", error: error)
        return SocketIORefusal("Try again in a moment.")
    }
}

extension SocketIOEndpoint where Service == RoomSockets {
    /// Closes the sockets of revoked sessions and withdrawn accounts.
    func handle(_ notification: ChangeNotification) {
        switch notification {
        case .sessionRevoked(let session):
            closeAll(.policyViolation, "the session has ended") { $0.session == session }
        case .accountWithdrawn(let account):
            closeAll(.policyViolation, "the account is gone") { $0.account == account }
        case .eventsWritten, .read, .typing, .presence, .roomDeleted, .assignmentChanged, .replicaLost:
            break
        }
    }
}
