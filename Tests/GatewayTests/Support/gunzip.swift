import CZlib
import NIOCore

/// The content of one gzip member (RFC 1952) as text; nil for anything else, and with bytes after its end.
func gunzip(_ bytes: ByteBuffer) -> String? {
    var stream = z_stream()
    let size = Int32(MemoryLayout<z_stream>.size)
    guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, size) == Z_OK else { return nil }
    defer { inflateEnd(&stream) }
    var content = ByteBuffer()
    let isComplete = bytes.withUnsafeReadableBytes { input in
        stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        stream.avail_in = UInt32(input.count)
        var result = Z_OK
        while result == Z_OK {
            content.writeWithUnsafeMutableBytes(minimumWritableBytes: 64 * 1024) { room in
                stream.next_out = room.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(room.count)
                result = inflate(&stream, Z_NO_FLUSH)
                return room.count - Int(stream.avail_out)
            }
        }
        return result == Z_STREAM_END && stream.avail_in == 0
    }
    return isComplete ? String(buffer: content) : nil
}
