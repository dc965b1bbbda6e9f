package import NIOCore

/// The limits on a client. Sizes in bytes.
package struct STOMPLimits: Sendable {
    /// Command and headers of a frame.
    package var headSize = 16 * 1024
    package var headerCount = 64
    package var bodySize = 64 * 1024
    /// The maximum number of bytes buffered while the service handles a frame; beyond it the client is not read.
    package var waitingSize = 64 * 1024
    /// The maximum number of subscriptions per connection.
    package var subscriptions = 64
    /// The frames of a connection, and those of all connections of an account in this process.
    package var frames = FrameRate(perSecond: 50, burst: 500)
    package var accountFrames = FrameRate(perSecond: 100, burst: 1000)
    /// From the opening of the socket to CONNECT.
    package var connectTime = TimeAmount.seconds(30)
    /// How long a connection from another copy waits for a database that is away.
    package var resumeTime = Duration.seconds(5)
    /// The minimum time between two heart-beats, in either direction.
    package var leastBeat = TimeAmount.seconds(1)
    package var socket: WebSocketLimits

    package init() {
        socket = WebSocketLimits()
        socket.messageSize = 128 * 1024
    }
}
