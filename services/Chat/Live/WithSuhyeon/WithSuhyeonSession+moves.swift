import Contracts
import FoundationEssentials
import NIOCore

/// The move of a socket to another copy of the service, which keeps the socket's ID: the account stays claimed, the
/// socket present in its room, and other devices notice nothing.
extension WithSuhyeonSession {
    /// What the other copy needs.
    struct Suspended: Codable, Sendable {
        var id: UUID
        var ticket: TicketID
        var openedAt: Date
        var socket: WithSuhyeonSocketState.Snapshot
    }

    /// Whether failed operations are repeated: the other copy repeats those of a socket that moves.
    var isStaying: Bool { socket != nil && leave == nil }

    /// The other copy of a moving socket reads everything again, except whether the session has ended.
    func handle(notification: WithSuhyeonSocketState.Event) {
        if leave != nil {
            guard case .sessionEnded = notification else { return }
        }
        handle(notification)
    }

    func suspend(_ leave: NIOLoopBound<(ByteBuffer?) -> Void>) {
        self.leave = leave
        suspendIfIdle()
    }

    /// Passes on the state of a socket that moves when the ticket is verified, all frames are handled, and no operation
    /// is left that could change the account's claim afterwards.
    func suspendIfIdle() {
        guard let leave, holder != nil, frames.isEmpty, !isHandlingFrames, operations == 0 else { return }
        self.leave = nil
        guard let ticket, let snapshot = state.suspend() else { return leave.value(nil) }
        connections.domain.presences.handOver(id)
        let state = Suspended(id: id, ticket: ticket, openedAt: openedAt, socket: snapshot)
        leave.value((try? JSONEncoder().encode(state)).map { ByteBuffer(bytes: $0) })
    }
}
