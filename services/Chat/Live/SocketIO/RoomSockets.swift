import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import Logging
import NIOCore
import People
import ServiceHost
import SocketIO
import WebSocket

/// Anlaka's sockets (contract 5): a namespace for each room, in which those who talk hear what is written.
struct RoomSockets: SocketIOService {
    let domain: ChatDomain
    let broadcasts: RoomBroadcasts
    let secret: InternalSecret
    let now: @Sendable () -> Date
    let logger: Logger

    init(_ domain: ChatDomain, _ configuration: ChatConfiguration, logger: Logger) {
        self.domain = domain
        self.broadcasts = RoomBroadcasts(feed: domain.feed, people: domain.people)
        self.secret = configuration.host.internalSecret
        self.now = configuration.now
        self.logger = logger
    }

    /// The app reads a room by REST before its socket is there: what was written in the seconds before is told again, and the
    /// app passes over what it has (Anlaka contract 4.8).
    static let replayTime: TimeInterval = 30
    /// Messages that are told again at most.
    static let replayLimit = 100

    static let namespacePrefix = "/chats-"

    func visitor(_ handshake: HTTPRequest) -> RoomVisitor {
        RoomVisitor(handshake, secret: secret, now: Int64(now().timeIntervalSince1970))
    }

    func stay(of visitor: RoomVisitor) -> TimeAmount? {
        visitor.stay(now: Int64(now().timeIntervalSince1970))
    }

    /// A client in a room.
    struct Membership: Sendable {
        var room: Room
        /// Of its presence.
        var presence: UUID
    }

    func connect(
        _ socket: SocketIOSocket,
        payload: ByteBuffer?,
        as visitor: RoomVisitor
    ) async throws(SocketIORefusal) -> Membership {
        guard let account = visitor.account else { throw SocketIORefusal(visitor.refusal ?? "") }
        guard socket.namespace.hasPrefix(Self.namespacePrefix) else {
            throw SocketIORefusal("There is no such namespace.")
        }
        let room = try await room(String(socket.namespace.dropFirst(Self.namespacePrefix.count)), of: account)
        let membership = Membership(room: room, presence: UUID())
        do {
            try await broadcasts.join(socket, room)
            await domain.presences.enter(
                Presence(id: membership.presence, account: account, room: room.id, isReading: true)
            )
            // Whoever looks into a room has read it: the app has no other way to say so.
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
            throw notNow(error)
        }
        return membership
    }

    func disconnected(_ socket: SocketIOSocket, _ membership: Membership) {
        broadcasts.leave(socket, membership.room)
        Task { [presences = domain.presences] in await presences.leave(membership.presence) }
    }

    private func room(_ id: String, of account: Int64) async throws(SocketIORefusal) -> Room {
        do {
            try await domain.people.person(account)
            return try await domain.rooms.room(id, in: .anlaka, of: account)
        } catch ChatError.roomNotFound {
            throw SocketIORefusal("There is no such room.")
        } catch ChatError.notAMember {
            throw SocketIORefusal("You are no participant of this room.")
        } catch is PersonUnknown {
            throw SocketIORefusal("You have left.")
        } catch {
            throw notNow(error)
        }
    }

    private func notNow(_ error: any Error) -> SocketIORefusal {
        logger.warning("nobody could be let into a room", error: error)
        return SocketIORefusal("Try again in a moment.")
    }
}

extension SocketIOEndpoint where Service == RoomSockets {
    /// Ends the sockets of whoever has no business here any more.
    func hear(_ notice: LiveNotice) {
        switch notice {
        case .sessionEnded(let session):
            closeAll(.policyViolation, "the session has ended") { $0.session == session }
        case .accountGone(let account):
            closeAll(.policyViolation, "the account is gone") { $0.account == account }
        case .happened, .read, .typing, .present, .roomGone, .turned:
            break
        }
    }
}
