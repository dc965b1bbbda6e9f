import FoundationEssentials
import HTTPTypes
import NIOCore
import Sockets

/// With Suhyeon's socket, `/chat?userId=TICKET` (contract 2.1).
struct WithSuhyeonEndpoint: WebSocketEndpoint {
    let house: WithSuhyeonConnections

    var subprotocols: [String] { [] }

    var limits: WebSocketLimits {
        var limits = WebSocketLimits()
        // A list of 1,000 rooms is one frame.
        limits.unsentSize = 4 * 1024 * 1024
        return limits
    }

    func delegate(for handshake: HTTPRequest, on eventLoop: any EventLoop) -> any WebSocketDelegate {
        let ticket = Self.ticket(handshake.path ?? "")
        return WithSuhyeonSocketDelegate(
            WithSuhyeonSession(house, ticket: ticket, openedAt: house.now(), on: eventLoop)
        )
    }

    /// The number of the first `userId`; nil when there is none.
    static func ticket(_ path: String) -> Int64? {
        let query = path.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
        let name = "userId="
        return query.split(separator: "&").first { $0.hasPrefix(name) }
            .flatMap { Int64($0.dropFirst(name.count)) }
            .flatMap { $0 > 0 ? $0 : nil }
    }
}

/// Passes a socket's events to its session, on the event loop of both.
final class WithSuhyeonSocketDelegate: WebSocketDelegate {
    private let session: WithSuhyeonSession

    init(_ session: WithSuhyeonSession) {
        self.session = session
    }

    func opened(_ socket: WebSocket) {
        let bound = NIOLoopBound(socket, eventLoop: socket.eventLoop)
        session.assumeIsolated { $0.opened(bound) }
    }

    func received(_ message: WebSocketMessage) {
        session.assumeIsolated { $0.received(message) }
    }

    func receivedAll() {
        session.assumeIsolated { $0.confirm() }
    }

    func closed(_ end: WebSocketEnd) {
        session.assumeIsolated { $0.closed(end) }
    }
}
