package import NIOCore
package import WebSocket

/// How much a client may send and how long it may take. Sizes in bytes.
package struct STOMPLimits: Sendable {
    /// Command and headers of a frame.
    package var headSize = 16 * 1024
    package var headerCount = 64
    package var bodySize = 64 * 1024
    /// What may wait while the service decides on a frame; then the client is not read any more.
    package var waitingSize = 64 * 1024
    /// Subscriptions of one connection.
    package var subscriptions = 64
    /// From the opening of the socket to CONNECT.
    package var connectTime = TimeAmount.seconds(30)
    /// The shortest time between two heart-beats, in either direction.
    package var leastBeat = TimeAmount.seconds(1)
    package var socket: WebSocketLimits

    package init() {
        socket = WebSocketLimits()
        socket.messageSize = 128 * 1024
    }
}
