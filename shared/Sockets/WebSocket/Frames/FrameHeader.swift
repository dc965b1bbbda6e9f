package import NIOCore

/// The part of a frame before its payload (RFC 6455 §5.2).
struct FrameHeader: Equatable {
    /// The maximum payload of a control frame, in bytes.
    static let controlLimit = 125

    var isFinal: Bool
    var opcode: Opcode
    /// The payload length, in bytes.
    var length: Int
    /// The masking key, its first byte being the highest; nil for an unmasked frame.
    var mask: UInt32?

    init(_ opcode: Opcode, length: Int, isFinal: Bool = true, mask: UInt32? = nil) {
        self.isFinal = isFinal
        self.opcode = opcode
        self.length = length
        self.mask = mask
    }

    /// Reads a header from the front of a buffer.
    ///
    /// - Parameter moves: Whether the frames of `SocketMove` are allowed.
    /// - Returns: nil, with nothing consumed, while the header is incomplete.
    /// - Throws: `WebSocketFailure` for reserved bits and opcodes, long or fragmented control frames, and lengths not
    ///   in their shortest form. These are detected in the first bytes, without waiting for the rest.
    init?(readingFrom buffer: inout ByteBuffer, allowing moves: Bool = false) throws(WebSocketFailure) {
        let start = buffer.readerIndex
        guard let first: UInt8 = buffer.getInteger(at: start) else { return nil }
        guard first & 0x70 == 0 else { throw WebSocketFailure(.protocolError, "reserved bits are set") }
        guard let opcode = Opcode(rawValue: first & 0x0f), moves || !opcode.isReserved else {
            throw WebSocketFailure(.protocolError, "unknown opcode")
        }
        self.isFinal = first & 0x80 != 0
        self.opcode = opcode
        if opcode.isControl, !isFinal { throw WebSocketFailure(.protocolError, "a control frame is fragmented") }

        guard let second: UInt8 = buffer.getInteger(at: start + 1) else { return nil }
        let short = Int(second & 0x7f)
        if opcode.isControl, short > Self.controlLimit {
            throw WebSocketFailure(.protocolError, "a control frame is too long")
        }
        var size = 2
        switch short {
        case 126:
            guard let long: UInt16 = buffer.getInteger(at: start + size) else { return nil }
            guard long > 125 else { throw WebSocketFailure(.protocolError, "a length is not in its shortest form") }
            length = Int(long)
            size += 2
        case 127:
            guard let long: UInt64 = buffer.getInteger(at: start + size) else { return nil }
            guard long > UInt16.max, let whole = Int(exactly: long) else {
                throw WebSocketFailure(.protocolError, "a length is not in its shortest form")
            }
            length = whole
            size += 8
        default:
            length = short
        }
        mask = nil
        if second & 0x80 != 0 {
            guard let key: UInt32 = buffer.getInteger(at: start + size) else { return nil }
            mask = key
            size += 4
        }
        buffer.moveReaderIndex(forwardBy: size)
    }

    /// The size of the header, in bytes.
    var size: Int {
        2 + (length > UInt16.max ? 8 : length > 125 ? 2 : 0) + (mask == nil ? 0 : 4)
    }

    func write(to buffer: inout ByteBuffer) {
        buffer.writeInteger((isFinal ? 0x80 : 0) | opcode.rawValue)
        let maskBit: UInt8 = mask == nil ? 0 : 0x80
        if length > UInt16.max {
            buffer.writeMultipleIntegers(maskBit | 127, UInt64(length))
        } else if length > 125 {
            buffer.writeMultipleIntegers(maskBit | 126, UInt16(length))
        } else {
            buffer.writeInteger(maskBit | UInt8(length))
        }
        if let mask { buffer.writeInteger(mask) }
    }
}

extension ByteBuffer {
    /// Masks or unmasks the last written bytes (RFC 6455 §5.3).
    ///
    /// - Parameters:
    ///   - count: The number of bytes.
    ///   - offset: The number of payload bytes before them.
    mutating func mask(last count: Int, by key: UInt32, offset: Int = 0) {
        guard count > 0 else { return }
        // The key is rotated so that its first byte applies to the first of these bytes.
        let turn = UInt32(offset & 3) * 8
        let turned = (turn == 0 ? key : key << turn | key >> (32 - turn)).bigEndian
        let start = readableBytes - count
        withUnsafeMutableReadableBytes { whole in
            let bytes = UnsafeMutableRawBufferPointer(rebasing: whole[start...])
            let wide = UInt64(turned) << 32 | UInt64(turned)
            var index = 0
            while index + 8 <= count {
                let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                bytes.storeBytes(of: word ^ wide, toByteOffset: index, as: UInt64.self)
                index += 8
            }
            while index < count {
                bytes[index] ^= UInt8(truncatingIfNeeded: turned >> UInt32((index & 3) * 8))
                index += 1
            }
        }
    }

    /// A complete frame of a server.
    package static func webSocketFrame(_ opcode: Opcode, _ payload: ByteBuffer) -> ByteBuffer {
        webSocketFrame(opcode, payload, mask: nil)
    }

    /// A complete frame.
    ///
    /// - Parameter mask: The masking key of a client's frame; nil for a server's.
    static func webSocketFrame(_ opcode: Opcode, _ payload: ByteBuffer, mask: UInt32?) -> ByteBuffer {
        let header = FrameHeader(opcode, length: payload.readableBytes, mask: mask)
        var frame = ByteBuffer()
        frame.reserveCapacity(header.size + payload.readableBytes)
        header.write(to: &frame)
        frame.writeImmutableBuffer(payload)
        if let mask { frame.mask(last: payload.readableBytes, by: mask) }
        return frame
    }

    /// Writes the header of a server's complete text message, whose payload follows.
    ///
    /// - Parameter length: The payload length, in bytes.
    package mutating func writeTextFrameHeader(length: Int) {
        FrameHeader(.text, length: length).write(to: &self)
    }
}
