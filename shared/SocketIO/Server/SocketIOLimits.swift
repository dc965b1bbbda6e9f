package import NIOCore
package import WebSocket

/// How much a client may send and how long it may take. Sizes in bytes.
package struct SocketIOLimits: Sendable {
    /// From one ping of the server to the next, and how long a client may take to answer one. Whole milliseconds.
    package var pingInterval = TimeAmount.seconds(25)
    package var pingTimeout = TimeAmount.seconds(20)
    /// How long a connection may be without any namespace, at its beginning and later.
    package var connectTime = TimeAmount.seconds(20)
    /// Namespaces of one connection.
    package var namespaces = 32
    /// Messages of one client in a second, pings and what is not looked at included.
    package var messagesPerSecond = 40
    /// Events that wait for a namespace whose connection is not decided yet.
    package var keptEvents = 256
    package var socket: WebSocketLimits

    package init() {
        socket = WebSocketLimits()
        socket.messageSize = 16 * 1024
        socket.unsentSize = 128 * 1024
        // The pings of Engine.IO do that.
        socket.pingTime = .hours(24)
        socket.silenceTime = .hours(48)
    }

    /// How often clocks look.
    var tick: TimeAmount {
        let least = min(pingInterval, pingTimeout, connectTime)
        return .nanoseconds(min(max(least.nanoseconds / 10, 1_000_000), 1_000_000_000))
    }
}
