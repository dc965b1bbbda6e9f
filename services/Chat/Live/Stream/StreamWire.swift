import Authentication
import Contracts
import STOMP
import ServiceHost

/// STOMP 1.2 for new clients of both apps: they read a room on from any number, write into it, and hear who reads and types.
///
/// - SUBSCRIBE `/topic/rooms.{id}`, with a header `after` for what happened after a number (0 for everything) and from now on
///   without it. A MESSAGE says in its header `kind` what it is: `event` (its `message-id` is its number), `read`, `typing`,
///   `presence`, `gone`. All but the events and the last are dropped where a client reads slowly.
/// - SEND `/app/rooms.{id}`, with a header `client-id` under which a message is kept once, however often it is sent; the
///   RECEIPT comes when it is kept. `/app/rooms.{id}/typing`, and `/app/rooms.{id}/read` with a number.
///
/// Who breaks a rule is told in an ERROR, and connects again.
struct StreamWire: Sendable {
    private let endpoint: STOMPEndpoint<StreamService>

    init(_ domain: ChatDomain, secret: InternalSecret) {
        endpoint = STOMPEndpoint(StreamService(domain, secret: secret))
    }

    var sockets: [SocketRoute] {
        [
            SocketRoute(.anlaka, "/v1/chats/stream", endpoint),
            SocketRoute(.withsuhyeon, "/api/v1/chatrooms/stream", endpoint),
        ]
    }

    /// Closes the connections of who may not be connected any more.
    func hear(_ notice: LiveNotice) {
        switch notice {
        case .sessionEnded(let session):
            endpoint.closeAll(STOMPRefusal("Your session has ended.")) { $0.session == session }
        case .accountGone(let account):
            endpoint.closeAll(STOMPRefusal("This account is gone.")) { $0.account == account }
        case .happened, .read, .typing, .present, .roomGone, .turned:
            break
        }
    }
}
