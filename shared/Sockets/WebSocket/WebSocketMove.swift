import NIOCore

/// How far a socket is in a move between copies of its service (`SocketMove`).
enum WebSocketMove {
    /// It cannot move.
    case none
    /// It can, by the name of its endpoint.
    case possible(String)
    /// The gateway has not answered yet; with the token of the offer.
    case offered(String, UInt64)
    case leaving
    /// Its state has not come yet; finds the endpoint by its name.
    case coming(@Sendable (String) -> (any WebSocketEndpoint)?)

    var allowsMessages: Bool {
        switch self {
        case .none, .possible, .offered: true
        case .leaving, .coming: false
        }
    }

    /// The payload of a frame `state`: the name, a line end and the endpoint's state.
    static func payload(_ name: String, _ state: ByteBuffer) -> ByteBuffer {
        var payload = ByteBuffer(string: "\(name)\n")
        payload.writeImmutableBuffer(state)
        return payload
    }

    static func parse(_ payload: ByteBuffer) -> (name: String, state: ByteBuffer)? {
        var state = payload
        guard let end = state.readableBytesView.firstIndex(of: UInt8(ascii: "\n")),
            let name = state.readString(length: end - state.readerIndex)
        else { return nil }
        state.moveReaderIndex(forwardBy: 1)
        return (name, state)
    }
}
