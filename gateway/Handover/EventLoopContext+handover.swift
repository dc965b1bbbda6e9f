import Contracts
import NIOCore

/// A connection that stands still while it goes to another process.
struct LeavingConnection: Sendable {
    let connection: NIOLoopBound<any TimedConnection>
    let moved: MovedConnection
    /// Copies, which the process that they are sent to has, too.
    let descriptors: [CInt]
}

extension EventLoopContext {
    /// Lets connections move to another process: those that cannot are closed after the request in flight, now and when
    /// they come to be.
    func startMoving() {
        isMoving = true
        for connection in all where !connection.canMove { connection.drain() }
    }

    func stopMoving() { isMoving = false }

    /// Stops connections that are between two requests, or carry a tunnel, and describes them.
    ///
    /// - Parameter limit: The maximum number.
    func leaving(limit: Int) -> [LeavingConnection] {
        var found: [LeavingConnection] = []
        for connection in all {
            guard found.count < limit else { break }
            guard let (moved, descriptors) = connection.leave() else { continue }
            let bound = NIOLoopBound(connection, eventLoop: eventLoop)
            found.append(LeavingConnection(connection: bound, moved: moved, descriptors: descriptors))
        }
        return found
    }

    /// The number of connections that will be able to move.
    var movableCount: Int { all.count { $0.canMove } }
}

extension TimedConnection {
    var canMove: Bool { false }
    func leave() -> (MovedConnection, [CInt])? { nil }
    func stay() {}
}

// MARK: - Connections between two requests

extension ClientConnection {
    /// The longest beginning of a request that moves, in bytes.
    private static let longestBeginning = 4096

    var canMove: Bool { output.context?.channel.canMove ?? false }

    func leave() -> (MovedConnection, [CInt])? {
        guard canMove, let channel = output.context?.channel, state.isBetweenRequests,
            reader.bytes.readableBytes <= Self.longestBeginning, let descriptor = channel.leave()
        else { return nil }
        return (MovedConnection(address: statedAddress, bytes: Array(buffer: reader.bytes)), [descriptor])
    }

    /// The client's address where that is not the other end of the socket, nor written in each request.
    private var statedAddress: String? {
        guard proxy == nil, let address = origin.address, let channel = output.context?.channel,
            IPAddress(channel.remoteAddress) != address
        else { return nil }
        return address.description
    }

    func stay() { output.context?.channel.stay() }
}

// MARK: - Tunnels

extension Tunnel {
    /// A tunnel whose socket is on its way to another copy of the service can move after it.
    var canMove: Bool { !isClosing && client.canMove && (move != nil || service.canMove) }

    func leave() -> (MovedConnection, [CInt])? {
        guard canMove, move == nil, !service.isReceivingMove, let clientDescriptor = client.leave() else { return nil }
        guard let serviceDescriptor = service.leave() else {
            closeAll([clientDescriptor])
            client.stay()
            return nil
        }
        let tunnel = MovedTunnel(
            service: serviceName,
            endpoint: endpoint?.name,
            session: session,
            fromClient: client.frames,
            fromService: service.frames,
            idleMilliseconds: (NIODeadline.now() - lastPassed).nanoseconds / 1_000_000
        )
        let address = client.remoteAddress == origin ? nil : origin?.description
        return (MovedConnection(address: address, tunnel: tunnel), [clientDescriptor, serviceDescriptor])
    }

    func stay() {
        client.stay()
        service.stay()
        if let closeAfterwards { close(with: closeAfterwards) }
    }
}
