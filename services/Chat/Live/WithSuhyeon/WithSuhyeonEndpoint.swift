import Contracts
import FoundationEssentials
import HTTPTypes
import NIOCore
import Sockets

/// With Suhyeon's socket, `/chat?userId=TICKET` (contract 2.1).
struct WithSuhyeonEndpoint: WebSocketEndpoint {
    let connections: WithSuhyeonConnections

    var subprotocols: [String] { [] }

    var limits: WebSocketLimits {
        var limits = WebSocketLimits()
        // A list of 1,000 rooms is one frame.
        limits.unsentSize = 4 * 1024 * 1024
        return limits
    }

    func delegate(for handshake: HTTPRequest, on eventLoop: any EventLoop) -> any WebSocketDelegate {
        let ticket = Self.ticket(handshake.path ?? "")
        return WithSuhyeonSession(connections, ticket: ticket, openedAt: connections.now(), on: eventLoop)
    }

    func delegate(resuming state: ByteBuffer, on eventLoop: any EventLoop) throws -> any WebSocketDelegate {
        let state = try JSONDecoder().decode(WithSuhyeonSession.Suspended.self, from: Data(state.readableBytesView))
        guard state.socket.isValid else { throw SocketStateFault() }
        return WithSuhyeonSession(connections, resuming: state, on: eventLoop)
    }

    /// The number of the first `userId`; nil when there is none.
    static func ticket(_ path: String) -> TicketID? {
        let query = path.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        let name = "userId="
        return query.split(separator: "&").first { $0.hasPrefix(name) }
            .flatMap { TicketID($0.dropFirst(name.count)) }
            .flatMap { $0.rawValue > 0 ? $0 : nil }
    }
}
