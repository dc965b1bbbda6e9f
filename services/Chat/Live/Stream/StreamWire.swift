import Authentication
import Contracts
import STOMP
import ServiceHost

/// STOMP 1.2 for new clients of both apps: they read a room on from any number, write into it, and hear who reads and types.
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
