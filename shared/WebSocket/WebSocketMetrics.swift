import CoreMetrics

/// What `/metrics` tells of WebSockets.
enum WebSocketMetrics {
    /// Sockets that are open, at the server's end.
    private static let open = Meter(label: "websocket_connections")

    static func opened() {
        open.increment()
    }

    static func closed() {
        open.decrement()
    }

    /// A socket was ended from here for the other end's behaviour.
    static func cut(_ reason: String) {
        Counter(label: "websocket_cut_total", dimensions: [("reason", reason)]).increment()
    }
}
