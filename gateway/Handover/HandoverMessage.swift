import Contracts
import FoundationEssentials

/// The messages between a gateway that gives its sockets away and its successor, in the order of the exchange. After
/// `serving`, groups of connections follow, each of them `connections`, `adopted`, `own`.
///
/// While a group is under way its connections stand still in both processes. They belong to the one that gives them away
/// until it has received `adopted`, and to the successor from then on: if this process dies before it has, they stay; if the
/// other dies after it has sent `adopted`, the end of the socket means the same as `own`. So there is one owner after
/// the death of either.
enum HandoverMessage: Codable, Equatable {
    /// From the successor: the version of these messages.
    case hello(version: Int)
    /// The listening sockets, by their settings, with their descriptors.
    ///
    /// - Parameter hears: Whether `revocations` of the successor are read.
    case ports([String], hears: Bool? = nil)
    /// Sessions that have ended and whose access tokens are refused; none after the last ones before `serving`. Then from
    /// both, as sessions end by requests to one while their connections are in the other.
    case revocations([AuthAPI.Revocations.Revocation])
    /// From the successor: it accepts connections.
    case serving
    /// Open connections, with their descriptors: one each, and two for a tunnel, the client's first.
    case connections([MovedConnection])
    /// From the successor: it has all connections of the group.
    case adopted
    /// The successor uses them from now on.
    case own
    /// There are no more connections.
    case done

    static let version = 1
    /// So many fit into a message.
    private static let sessionsPerMessage = 1000

    /// Messages with sessions that have ended.
    static func messages(of ended: [AuthAPI.Revocations.Revocation]) -> [HandoverMessage] {
        stride(from: 0, to: ended.count, by: sessionsPerMessage).map { start in
            .revocations(Array(ended[start..<min(start + sessionsPerMessage, ended.count)]))
        }
    }
}

/// A connection that moves to another process between two requests, or that carries a tunnel.
struct MovedConnection: Codable, Equatable {
    /// The client's address that a proxy has stated; nil for that of the socket's other end.
    var address: String?
    /// What has been received and not been used: the beginning of a request.
    var bytes: [UInt8] = []
    var tunnel: MovedTunnel?
}

struct MovedTunnel: Codable, Equatable {
    var service: ServiceName?
    /// The service's address; see `Endpoint.name`.
    var endpoint: String?
    var session: String?
    /// Where the frames of both directions are.
    var fromClient: FrameWalker
    var fromService: FrameWalker
    /// For how long nothing has passed.
    var idleMilliseconds: Int64
}

extension DescriptorSocket {
    /// The other process sent something else than what follows in the exchange.
    struct Unexpected: Error, CustomStringConvertible {
        let message: HandoverMessage

        var description: String { "unexpected message \(String(describing: message).prefix(100))" }
    }

    func send(_ message: HandoverMessage, _ descriptors: [CInt] = []) throws {
        try send(try JSONEncoder().encode(message), descriptors)
    }

    func receiveMessage() throws -> (HandoverMessage, [CInt]) {
        let (bytes, descriptors) = try receive()
        do {
            return (try JSONDecoder().decode(HandoverMessage.self, from: bytes), descriptors)
        } catch {
            closeAll(descriptors)
            throw error
        }
    }

    func receive(_ expected: HandoverMessage) throws {
        let (message, descriptors) = try receiveMessage()
        closeAll(descriptors)
        guard message == expected else { throw Unexpected(message: message) }
    }
}
