import NIOCore

/// The access log: one JSON line per request on standard output, in the format of `JSONLogHandler`. Lines are buffered per event loop and written by a
/// separate thread, so that a slow log reader does not delay requests.
final class AccessLog {
    /// The content of a line. It includes no token, query or body.
    struct Entry {
        var method: StaticString
        /// The normalized path; nil if the request could not be parsed.
        var path: ArraySlice<UInt8>?
        var route: String
        var app: StaticString
        var status: Int
        var bytesIn: Int
        var bytesOut: Int
        var took: TimeAmount
        var client: String
        var ids: TraceIDs
        var upstream: String
    }

    private static let flushSize = 32 * 1024

    private var lines = ByteBuffer()
    private let writer: AccessLogWriter

    init(writer: AccessLogWriter) {
        self.writer = writer
    }

    func write(_ entry: Entry, at clock: WallClock) {
        Self.write(entry, at: clock, to: &lines)
        if lines.readableBytes >= Self.flushSize { flush() }
    }

    static func write(_ entry: Entry, at clock: WallClock, to lines: inout ByteBuffer) {
        lines.writeStaticString("{\"time\":\"")
        lines.writeImmutableBuffer(clock.isoSecond)
        lines.writeInteger(UInt8(ascii: "."))
        lines.writeDecimal(clock.milliseconds, digits: 3)
        lines.writeStaticString(
            "Z\",\"level\":\"info\",\"service\":\"gateway\",\"message\":\"http: request\",\"method\":\""
        )
        lines.writeStaticString(entry.method)
        if let path = entry.path {
            lines.writeStaticString("\",\"path\":\"")
            lines.writeBytes(path)
        }
        lines.writeStaticString("\",\"route\":\"")
        lines.writeString(entry.route)
        lines.writeStaticString("\",\"app\":\"")
        lines.writeStaticString(entry.app)
        lines.writeStaticString("\",\"status\":")
        lines.writeDecimal(entry.status)
        lines.writeStaticString(",\"bytes_in\":")
        lines.writeDecimal(entry.bytesIn)
        lines.writeStaticString(",\"bytes_out\":")
        lines.writeDecimal(entry.bytesOut)
        let microseconds = Int(entry.took.nanoseconds / 1000)
        lines.writeStaticString(",\"duration_ms\":")
        lines.writeDecimal(microseconds / 1000)
        lines.writeInteger(UInt8(ascii: "."))
        lines.writeDecimal(microseconds % 1000, digits: 3)
        lines.writeStaticString(",\"client\":\"")
        lines.writeString(entry.client)
        lines.writeStaticString("\",\"upstream\":\"")
        lines.writeString(entry.upstream)
        lines.writeStaticString("\",\"request_id\":\"")
        lines.writeHex(entry.ids.request)
        lines.writeStaticString("\",\"trace_id\":\"")
        lines.writeHex(entry.ids.trace.0)
        lines.writeHex(entry.ids.trace.1)
        lines.writeStaticString("\",\"span_id\":\"")
        lines.writeHex(entry.ids.request)
        lines.writeStaticString("\"}\n")
    }

    /// Passes the buffered lines to the writer thread.
    func flush() {
        guard lines.readableBytes > 0 else { return }
        let size = lines.capacity
        writer.write(lines)
        lines = ByteBufferAllocator().buffer(capacity: size)
    }
}

extension ByteBuffer {
    /// Writes a non-negative number in decimal.
    ///
    /// - Parameter digits: The minimum number of digits; the number is padded with zeros.
    mutating func writeDecimal(_ number: Int, digits: Int = 1) {
        var rest = UInt64(number.magnitude)
        var text: UInt64 = 0
        var count = 0
        guard rest < 100_000_000 else {
            writeString(String(number))
            return
        }
        repeat {
            text |= (UInt64(UInt8(ascii: "0")) + rest % 10) << UInt64(count * 8)
            rest /= 10
            count += 1
        } while rest > 0 || count < digits
        // The first digit is now in the highest byte in use.
        for index in stride(from: count - 1, through: 0, by: -1) {
            writeInteger(UInt8(truncatingIfNeeded: text >> UInt64(index * 8)))
        }
    }
}
