import HTTPTypes
import NIOCore
import Sockets

/// Echoes every message.
struct EchoEndpoint: WebSocketEndpoint {
    var subprotocols = ["v12.stomp", "v11.stomp"]
    var limits = WebSocketLimits()
    /// Called with the end of each socket.
    var onEnd: @Sendable (WebSocketEnd) -> Void = { _ in }

    func delegate(for handshake: HTTPRequest, on eventLoop: any EventLoop) -> any WebSocketDelegate { Echo(onEnd) }

    private final class Echo: WebSocketDelegate {
        private var socket: WebSocket?
        private let onEnd: @Sendable (WebSocketEnd) -> Void

        init(_ onEnd: @escaping @Sendable (WebSocketEnd) -> Void) { self.onEnd = onEnd }

        func opened(_ socket: WebSocket) { self.socket = socket }

        func received(_ message: WebSocketMessage) {
            switch message {
            case .text(let bytes): socket?.write(.webSocketFrame(.text, bytes))
            case .binary(let bytes): socket?.write(.webSocketFrame(.binary, bytes))
            }
        }

        func closed(_ end: WebSocketEnd) {
            socket = nil
            onEnd(end)
        }
    }
}
