import Contracts
package import NIOCore

/// Limits on a WebSocket peer. Sizes in bytes.
package struct WebSocketLimits: Sendable {
    /// The maximum size of a message, including all fragments.
    package var messageSize = 64 * 1024
    /// The maximum number of unsent bytes; a slower peer is disconnected.
    package var unsentSize = 1024 * 1024
    /// From the start of a connection to the end of its first request head.
    package var handshakeTime = TimeAmount.seconds(10)
    /// The time without input after which the peer is pinged.
    package var pingTime = TimeAmount.seconds(15)
    /// The time without any input after which the connection is closed. A ping has then waited for the difference.
    package var silenceTime = TimeAmount.seconds(30)
    /// How long to wait for the peer's Close frame.
    package var closeTime = TimeAmount.seconds(2)
    /// How long the gateway may take to move the socket to another copy of the service.
    package var moveTime = TimeAmount.seconds(SocketMove.time)

    package init() {}
}
