import Contracts
import NIOCore

/// Parses the frames received by one end, reassembles fragments, and performs all checks that RFC 6455 requires of an
/// endpoint.
///
/// Payloads are processed as they arrive, so that an error in a text is detected before the rest of its frame arrives,
/// and no more than one message is buffered.
struct MessageReader {
    enum Event: Equatable {
        case text(ByteBuffer)
        case binary(ByteBuffer)
        case ping(ByteBuffer)
        case pong(ByteBuffer)
        /// A frame `pause` of `SocketMove`.
        case pause(ByteBuffer)
        /// A frame `state` of `SocketMove`.
        case state(ByteBuffer)
        /// The code is nil if the frame was empty.
        case close(CloseCode?, reason: String)
    }

    private let role: WebSocketRole
    /// The maximum size of a message, in bytes.
    var limit: Int
    /// Whether the frames of `SocketMove` are allowed.
    var allowsMoves = false
    private var buffer = ByteBuffer()
    /// The frame whose payload is being read, and the number of missing payload bytes.
    private var frame: (header: FrameHeader, missing: Int)?
    private var control = ByteBuffer()
    /// The message being reassembled.
    private var message: (opcode: Opcode, bytes: ByteBuffer)?
    private var text = UTF8Validator()

    /// - Parameter role: The role of the reading end.
    init(_ role: WebSocketRole, limit: Int) {
        self.role = role
        self.limit = limit
    }

    mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// The next event; nil until more bytes have arrived.
    mutating func next() throws(WebSocketFailure) -> Event? {
        while true {
            if frame == nil {
                guard let header = try FrameHeader(readingFrom: &buffer, allowing: allowsMoves) else {
                    if buffer.readableBytes == 0 { buffer = ByteBuffer() }
                    return nil
                }
                try begin(header)
            }
            guard let (header, missing) = frame else { return nil }
            let count = min(missing, buffer.readableBytes)
            if let piece = buffer.readSlice(length: count) {
                try take(piece, of: header, offset: header.length - missing)
            }
            frame?.missing -= count
            if count < missing {
                buffer = ByteBuffer()
                return nil
            }
            frame = nil
            if let event = try end(header) { return event }
        }
    }

    // MARK: A frame's beginning, middle and end

    private mutating func begin(_ header: FrameHeader) throws(WebSocketFailure) {
        guard (header.mask != nil) == (role == .server) else {
            throw WebSocketFailure(.protocolError, role == .server ? "a frame is not masked" : "a frame is masked")
        }
        if header.opcode == .continuation {
            guard let message else { throw WebSocketFailure(.protocolError, "there is nothing to continue") }
            try check(header.length, after: message.bytes.readableBytes, of: message.opcode)
        } else if !header.opcode.isControl {
            guard message == nil else { throw WebSocketFailure(.protocolError, "a message begins inside of another") }
            try check(header.length, of: header.opcode)
            message = (header.opcode, ByteBuffer())
            text = UTF8Validator()
        }
        frame = (header, header.length)
    }

    private func check(_ coming: Int, after present: Int = 0, of opcode: Opcode) throws(WebSocketFailure) {
        let limit = opcode == .state ? SocketMove.stateSize : limit
        guard coming <= limit - present else {
            throw WebSocketFailure(.tooLarge, "a message is larger than \(limit) bytes")
        }
    }

    private mutating func take(_ piece: ByteBuffer, of header: FrameHeader, offset: Int) throws(WebSocketFailure) {
        let count = piece.readableBytes
        guard count > 0 else { return }
        if header.opcode.isControl {
            control.writeImmutableBuffer(piece)
            if let mask = header.mask { control.mask(last: count, by: mask, offset: offset) }
            return
        }
        message?.bytes.writeImmutableBuffer(piece)
        if let mask = header.mask { message?.bytes.mask(last: count, by: mask, offset: offset) }
        guard let message, message.opcode == .text else { return }
        let span = message.bytes.readableBytesUInt8Span
        guard text.accept(span.extracting(last: count)) else {
            throw WebSocketFailure(.invalidText, "a text is not UTF-8")
        }
    }

    private mutating func end(_ header: FrameHeader) throws(WebSocketFailure) -> Event? {
        if header.opcode.isControl {
            let payload = control
            control = ByteBuffer()
            switch header.opcode {
            case .ping: return .ping(payload)
            case .pong: return .pong(payload)
            case .pause: return .pause(payload)
            default: return try close(payload)
            }
        }
        guard header.isFinal, let message else { return nil }
        self.message = nil
        if message.opcode == .state { return .state(message.bytes) }
        guard message.opcode == .text else { return .binary(message.bytes) }
        guard text.isComplete else { throw WebSocketFailure(.invalidText, "a text is not UTF-8") }
        return .text(message.bytes)
    }

    private func close(_ payload: ByteBuffer) throws(WebSocketFailure) -> Event {
        var payload = payload
        guard payload.readableBytes > 0 else { return .close(nil, reason: "") }
        guard let code = payload.readInteger(as: UInt16.self).map(CloseCode.init), code.isSendable else {
            throw WebSocketFailure(.protocolError, "a close code is not valid")
        }
        guard let reason = String(validating: payload.readableBytesView, as: UTF8.self) else {
            throw WebSocketFailure(.invalidText, "a close reason is not UTF-8")
        }
        return .close(code, reason: reason)
    }
}
