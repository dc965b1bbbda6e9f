package import NIOCore

/// How much and how slowly the other end of a WebSocket may be. Sizes in bytes.
package struct WebSocketLimits: Sendable {
    /// The largest message, fragments put together.
    package var messageSize = 64 * 1024
    /// What may wait to be sent; who reads so slowly that it becomes more is cut.
    package var unsentSize = 1024 * 1024
    /// From the beginning of a connection to the end of its first head.
    package var handshakeTime = TimeAmount.seconds(10)
    /// Silence after which the other end is pinged.
    package var pingTime = TimeAmount.seconds(15)
    /// Silence after which the connection is closed; any bytes at all break it.
    package var silenceTime = TimeAmount.seconds(30)
    /// How long the other end has to close when it was told to.
    package var closeTime = TimeAmount.seconds(2)

    package init() {}
}
