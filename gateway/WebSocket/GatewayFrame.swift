import Contracts
import NIOCore

/// A whole frame that the gateway writes itself (RFC 6455 §5.2).
struct GatewayFrame {
    let opcode: UInt8
    let payload: ByteBuffer

    /// The bytes of the frame.
    ///
    /// - Parameter mask: The masking key of a client's frame; nil for a server's frame.
    func bytes(maskedBy mask: UInt32?) -> ByteBuffer {
        var frame = ByteBuffer()
        frame.writeInteger(0x80 | opcode)
        let bit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.readableBytes {
        case ...125: frame.writeInteger(bit | UInt8(payload.readableBytes))
        case ...65_535: frame.writeMultipleIntegers(bit | 126, UInt16(payload.readableBytes))
        default: frame.writeMultipleIntegers(bit | 127, UInt64(payload.readableBytes))
        }
        guard let mask else {
            frame.writeImmutableBuffer(payload)
            return frame
        }
        frame.writeInteger(mask)
        for (index, byte) in payload.readableBytesView.enumerated() {
            frame.writeInteger(byte ^ UInt8(truncatingIfNeeded: mask >> UInt32(24 - 8 * (index & 3))))
        }
        return frame
    }
}

/// Collects one whole frame of a service from bytes that arrive in pieces.
struct GatewayFrameReader {
    private var bytes = ByteBuffer()

    /// A frame that is masked, longer than `SocketMove.stateSize`, or a fragment.
    struct Malformed: Error {}

    /// Takes the bytes of the frame.
    ///
    /// - Returns: nil until the frame is complete; bytes after it are left.
    mutating func read(_ input: inout ByteBuffer) throws(Malformed) -> GatewayFrame? {
        while true {
            let missing = try missing()
            if missing == 0 { break }
            guard var part = input.readSlice(length: min(missing, input.readableBytes)), part.readableBytes > 0 else {
                return nil
            }
            bytes.writeBuffer(&part)
        }
        let opcode = (bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) ?? 0) & 0x0f
        bytes.moveReaderIndex(forwardBy: headerSize)
        return GatewayFrame(opcode: opcode, payload: bytes)
    }

    /// The number of bytes known to be missing.
    private func missing() throws(Malformed) -> Int {
        guard bytes.readableBytes >= 2 else { return 2 - bytes.readableBytes }
        guard bytes.getInteger(at: 0, as: UInt8.self).map({ $0 & 0xf0 == 0x80 }) ?? false, shortLength < 128 else {
            throw Malformed()
        }
        guard bytes.readableBytes >= headerSize else { return headerSize - bytes.readableBytes }
        let length: UInt64? =
            switch shortLength {
            case 126: bytes.getInteger(at: 2, as: UInt16.self).map(UInt64.init)
            case 127: bytes.getInteger(at: 2, as: UInt64.self)
            default: UInt64(shortLength)
            }
        guard let length, length <= SocketMove.stateSize else { throw Malformed() }
        return headerSize + Int(length) - bytes.readableBytes
    }

    /// The second byte: the length, or 126 and 127 for longer ones, and the mask's bit.
    private var shortLength: UInt8 { bytes.getInteger(at: 1) ?? 0 }

    private var headerSize: Int { 2 + (shortLength == 126 ? 2 : shortLength == 127 ? 8 : 0) }
}
