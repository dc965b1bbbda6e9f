/// The type of a frame (RFC 6455 §5.2); the values in between are reserved. Two of these are used between the gateway and
/// a service (`SocketMove`).
package enum Opcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case state = 0x3
    case close = 0x8
    case ping = 0x9
    case pong = 0xA
    case pause = 0xB

    var isControl: Bool { rawValue >= 0x8 }
    var isReserved: Bool { self == .state || self == .pause }
}

/// The role of an endpoint. Clients mask their frames, servers do not (RFC 6455 §5.1).
package enum WebSocketRole: Sendable {
    case server
    case client
}
