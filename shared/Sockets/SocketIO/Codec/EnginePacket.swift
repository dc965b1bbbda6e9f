import NIOCore

/// A packet of Engine.IO 4 in a text message: a digit for its kind, and the payload.
struct EnginePacket: Equatable {
    enum Kind: UInt8 {
        case open = 0x30
        case close, ping, pong, message, upgrade, noop
    }

    var kind: Kind
    var payload: ByteBuffer

    /// - Throws: For a message that does not begin with a valid digit.
    init(_ text: ByteBuffer) throws(WebSocketFailure) {
        var payload = text
        guard let kind = payload.readInteger(as: UInt8.self).flatMap(Kind.init) else {
            throw WebSocketFailure(.protocolError, "not an Engine.IO packet")
        }
        self.kind = kind
        self.payload = payload
    }
}
