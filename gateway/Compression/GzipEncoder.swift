import CZlib
import NIOCore

/// Compresses contents with gzip (RFC 1952), one after the other, with one state of zlib.
final class GzipEncoder {
    /// zlib's state has a pointer to it, so that it may not move.
    private let stream: UnsafeMutablePointer<z_stream>
    private var output = ByteBuffer()

    /// - Parameter level: 1, the fastest, to 9.
    /// - Returns: nil without memory for it.
    init?(level: Int32) {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // The largest window, and 16 more for the format of gzip instead of zlib's own.
        let window: Int32 = 15 + 16
        let size = Int32(MemoryLayout<z_stream>.size)
        guard deflateInit2_(stream, level, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size) == Z_OK else {
            stream.deallocate()
            return nil
        }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// - Returns: The compressed content, in a buffer that is reused as soon as it has no other owner; nil if zlib fails.
    func encode(_ content: ByteBuffer) -> ByteBuffer? {
        let bound = Int(deflateBound(stream, UInt(content.readableBytes)))
        output.clear(minimumCapacity: bound)
        let result = content.withUnsafeReadableBytes { input in
            stream.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
            stream.pointee.avail_in = UInt32(input.count)
            return output.writeWithUnsafeMutableBytes(minimumWritableBytes: bound) { room in
                stream.pointee.next_out = room.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(room.count)
                return deflate(stream, Z_FINISH) == Z_STREAM_END ? room.count - Int(stream.pointee.avail_out) : 0
            }
        }
        return deflateReset(stream) == Z_OK && result > 0 ? output : nil
    }
}
