import CoreMetrics

enum WebSocketMetrics {
    /// The number of open server-side sockets.
    private static let open = Meter(label: "websocket_connections")

    static func opened() {
        open.increment()
    }

    static func closed() {
        open.decrement()
    }

    /// Counts a socket that was closed because of the peer's behaviour.
    static func cut(_ reason: String) {
        Counter(label: "websocket_cut_total", dimensions: [("reason", reason)]).increment()
    }
}
