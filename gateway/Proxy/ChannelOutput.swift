import NIOCore

/// Output for a channel. Small pieces are copied into one buffer, because that is cheaper than to write each of them;
/// large ones are written without a copy.
final class ChannelOutput {
    var context: ChannelHandlerContext?
    private var buffer = ByteBuffer()
    /// Whether the channel holds written but unflushed bytes.
    private var hasUnflushed = false

    /// The size, in bytes, up to which a piece is copied.
    private static let copyLimit = 8 * 1024
    /// The largest capacity, in bytes, that is kept between two messages.
    private static let keptCapacity = 16 * 1024

    /// The buffer to append heads and other small parts to.
    var end: ByteBuffer {
        get { buffer }
        _modify {
            if buffer.readableBytes == 0 { buffer.clear() }
            yield &buffer
        }
    }

    /// Writes a part of a body.
    func write(_ piece: ByteBuffer, asChunk: Bool) {
        if asChunk { end.writeChunkSize(piece.readableBytes) }
        if piece.readableBytes <= Self.copyLimit {
            end.writeImmutableBuffer(piece)
        } else {
            writeBuffer()
            write(piece)
        }
        if asChunk { end.writeStaticString(Chunk.end) }
    }

    private func writeBuffer() {
        guard buffer.readableBytes > 0 else { return }
        write(buffer)
        buffer.moveReaderIndex(to: buffer.writerIndex)
    }

    private func write(_ bytes: ByteBuffer) {
        hasUnflushed = true
        context?.write(NIOAny(bytes), promise: nil)
    }

    /// Writes and flushes the buffered bytes.
    func flush() {
        writeBuffer()
        guard hasUnflushed else { return }
        hasUnflushed = false
        context?.flush()
    }

    /// Makes the bytes that were flushed last available again, provided that nothing was appended.
    func rewind() {
        buffer.moveReaderIndex(to: 0)
    }

    /// Drops buffered bytes.
    func clear(minimumCapacity: Int) {
        buffer.clear(minimumCapacity: minimumCapacity)
        hasUnflushed = false
    }

    /// Releases a large buffer after a message.
    func shrink() {
        if buffer.readableBytes == 0, buffer.capacity > Self.keptCapacity { buffer = ByteBuffer() }
    }

    /// Closes the sending side.
    func finish() {
        flush()
        context?.close(mode: .output, promise: nil)
    }
}

/// The framing of the chunks that the gateway writes (RFC 9112 §7.1).
enum Chunk {
    static let end: StaticString = "\r\n"
    static let last: StaticString = "0\r\n\r\n"
}

extension ByteBuffer {
    /// Writes the size line of a chunk.
    mutating func writeChunkSize(_ size: Int) {
        writeString(String(size, radix: 16))
        writeStaticString(Chunk.end)
    }
}
