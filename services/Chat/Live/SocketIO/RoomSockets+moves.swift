import Contracts
import FoundationEssentials
import Sockets
import Values

/// Sockets that move between copies of the service. The gateway closes those of a session that ends meanwhile.
extension RoomSockets {
    /// How far a membership has got.
    struct Position: Codable, Sendable {
        /// ID of its presence.
        var presence: UUID
        /// The number of the last message that was sent, or need not be.
        var through: Int64
    }

    private static let backoff = Backoff(from: .milliseconds(50), to: .seconds(1))

    func suspend(_ socket: SocketIOSocket, _ membership: Membership) -> Position {
        domain.presences.handOver(membership.presence)
        return Position(presence: membership.presence, through: broadcasts.leave(socket, membership.room))
    }

    /// Repeats failed attempts while the socket is in the namespace.
    func resume(
        _ socket: SocketIOSocket,
        from position: Position,
        as visitor: SocketPrincipal
    ) async throws(SocketIORefusal) -> Membership {
        var backoff = Self.backoff
        while true {
            do {
                return try await domain.joins.take { try await join(socket, from: position, as: visitor) }
            } catch {
                let refusal = refusal(error) ?? notNow(error)
                guard self.refusal(error) == nil, !Task.isCancelled else {
                    await domain.presences.leave(position.presence)
                    throw refusal
                }
            }
            try? await Task.sleep(for: backoff.next())
        }
    }

    private func join(
        _ socket: SocketIOSocket,
        from position: Position,
        as visitor: SocketPrincipal
    ) async throws -> Membership {
        let (account, room) = try await room(of: socket, as: visitor)
        do {
            try await broadcasts.join(socket, room)
            try await domain.presences.takeOver(
                Presence(id: position.presence, account: account, room: room.id, isReading: true)
            )
            try await domain.rooms.read(room, by: account)
            var events: [SocketIOEvent] = []
            var through = position.through
            while let page = try await missed(in: room, after: through, by: account) {
                events += try await broadcasts.events(of: page.messages, in: room)
                through = page.through
            }
            broadcasts.begin(socket, room, with: events, through: through)
            return Membership(room: room, presence: position.presence)
        } catch {
            broadcasts.leave(socket, room)
            throw error
        }
    }

    /// The messages of the next page of events, and the number of its last event; nil after the last page.
    private func missed(
        in room: Room,
        after sequence: Int64,
        by account: AccountID
    ) async throws -> (messages: [Message], through: Int64)? {
        let page = try await domain.messages.events(in: room, after: sequence, for: account)
        guard let last = page.last else { return nil }
        return (page.filter(\.isNewMessage).map(\.message), last.sequence)
    }
}
