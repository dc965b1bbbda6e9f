import Apps
import Contracts
import ServiceKit
import Sockets

/// STOMP 1.2 for new clients of both apps: resuming a room from any number, sending messages, and read, typing and
/// presence notifications.
///
/// - SUBSCRIBE `/topic/rooms.{id}`, with a header `after` for the events after a number (0 for all), without it for new
///   events only. The header `kind` of a MESSAGE is `event` (`message-id` is its number), `read`, `typing`, `presence`
///   or `gone`. When a client reads slowly, only `event` and `gone` are never dropped.
/// - SEND `/app/rooms.{id}` with a header `client-id`, under which a message is stored once, however often it is sent;
///   the RECEIPT is sent after the commit. `/app/rooms.{id}/typing`, and `/app/rooms.{id}/read` with a number as body.
///
/// An error is sent as ERROR and closes the connection.
struct StreamWire: Sendable {
    private let endpoint: STOMPEndpoint<StreamService>

    init(_ domain: ChatDomain) {
        endpoint = STOMPEndpoint(StreamService(domain: domain))
    }

    var sockets: [SocketRoute] {
        [
            SocketRoute(\Anlaka.connectStream, endpoint),
            SocketRoute(\WithSuhyeon.connectStream, endpoint),
        ]
    }

    /// Closes the connections of revoked sessions and withdrawn accounts.
    func handle(_ notification: ChangeNotification) {
        switch notification {
        case .sessionRevoked(let session):
            endpoint.closeAll(STOMPRefusal("Your session has ended.")) { $0.session == session }
        case .accountWithdrawn(let account):
            endpoint.closeAll(STOMPRefusal("This account is gone.")) { $0.account == account }
        case .eventsWritten, .read, .typing, .presence, .roomDeleted, .assignmentChanged, .replicaLost:
            break
        }
    }
}
