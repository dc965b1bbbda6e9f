/// The type of a frame (RFC 6455 §5.2); the values in between are reserved.
package enum Opcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue >= 0x8 }
}

/// The role of an endpoint. Clients mask their frames, servers do not (RFC 6455 §5.1).
package enum WebSocketRole: Sendable {
    case server
    case client
}
