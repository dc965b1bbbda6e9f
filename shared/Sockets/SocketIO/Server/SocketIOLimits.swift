package import NIOCore

/// The limits on a client. Sizes in bytes.
package struct SocketIOLimits: Sendable {
    /// The interval between the server's pings, and the timeout of the response. Whole milliseconds.
    package var pingInterval = TimeAmount.seconds(25)
    package var pingTimeout = TimeAmount.seconds(20)
    /// The maximum time of a connection without a namespace, initially and later.
    package var connectTime = TimeAmount.seconds(20)
    /// The maximum number of namespaces per connection.
    package var namespaces = 32
    /// The messages from one client, including pings and ignored messages.
    package var messages = FrameRate(perSecond: 40, burst: 40)
    /// The maximum number of events buffered for a namespace whose connection is pending.
    package var keptEvents = 256
    package var socket: WebSocketLimits

    package init() {
        socket = WebSocketLimits()
        socket.messageSize = 16 * 1024
        socket.unsentSize = 128 * 1024
        // Replaced by the pings of Engine.IO.
        socket.pingTime = .hours(24)
        socket.silenceTime = .hours(48)
    }

    /// The interval of the timer.
    var tick: TimeAmount {
        let least = min(pingInterval, pingTimeout, connectTime)
        return .nanoseconds(min(max(least.nanoseconds / 10, 1_000_000), 1_000_000_000))
    }
}
