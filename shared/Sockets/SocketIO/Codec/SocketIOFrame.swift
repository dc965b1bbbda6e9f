import FoundationEssentials
package import NIOCore

/// The frames that a server sends, as complete WebSocket frames.
enum SocketIOFrame {
    static let ping = ByteBuffer.webSocketFrame(.text, ByteBuffer(string: "2"))

    /// The first packet of a connection.
    static func open(id: String, _ limits: SocketIOLimits) -> ByteBuffer {
        text(
            """
            0{"sid":"\(id)","upgrades":[],"pingInterval":\(milliseconds(limits.pingInterval)),\
            "pingTimeout":\(milliseconds(limits.pingTimeout)),"maxPayload":\(limits.socket.messageSize)}
            """
        )
    }

    static func pong(_ payload: ByteBuffer) -> ByteBuffer {
        var packet = ByteBuffer(string: "3")
        packet.writeImmutableBuffer(payload)
        return .webSocketFrame(.text, packet)
    }

    static func connected(_ namespace: String, id: String) -> ByteBuffer {
        text("40\(prefix(namespace)){\"sid\":\"\(id)\"}")
    }

    static func disconnected(_ namespace: String) -> ByteBuffer {
        text("41\(prefix(namespace))")
    }

    static func refused(_ namespace: String, _ message: String) -> ByteBuffer {
        text("44\(prefix(namespace)){\"message\":\(quoted(message))}")
    }

    static func event(_ name: String, _ json: ByteBuffer, in namespace: String) -> ByteBuffer {
        var packet = ByteBuffer(string: "42\(prefix(namespace))[\(quoted(name)),")
        packet.writeImmutableBuffer(json)
        packet.writeStaticString("]")
        return .webSocketFrame(.text, packet)
    }

    private static func prefix(_ namespace: String) -> String {
        namespace == "/" ? "" : "\(namespace),"
    }

    private static func quoted(_ text: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    private static func text(_ packet: String) -> ByteBuffer {
        .webSocketFrame(.text, ByteBuffer(string: packet))
    }

    /// Never 0, because clients divide by the value.
    private static func milliseconds(_ time: TimeAmount) -> Int64 {
        max(time.nanoseconds / 1_000_000, 1)
    }
}

/// An event for all sockets of a namespace, encoded once.
package struct SocketIOEvent: Sendable {
    let frame: ByteBuffer

    /// - Parameter json: The only argument.
    package init(_ name: String, _ json: ByteBuffer, in namespace: String) {
        frame = SocketIOFrame.event(name, json, in: namespace)
    }
}
