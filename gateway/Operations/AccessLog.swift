import NIOCore

/// One JSON line per request on standard output, gathered per event loop and written by a thread of its own, so that a
/// slow reader of the log never holds up a request.
final class AccessLog {
    /// What a line tells. No token, no query, no body.
    struct Entry {
        var method: StaticString
        /// The clean path; nil when the request could not be read.
        var path: ArraySlice<UInt8>?
        var route: String
        var app: StaticString
        var status: Int
        var bytesIn: Int
        var bytesOut: Int
        var took: TimeAmount
        var client: String
        var requestID: UInt64
        var traceID: (UInt64, UInt64)
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
        lines.writeStaticString("Z\",\"level\":\"info\",\"service\":\"gateway\",\"message\":\"request\",\"method\":\"")
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
        lines.writeStaticString(",\"in\":")
        lines.writeDecimal(entry.bytesIn)
        lines.writeStaticString(",\"out\":")
        lines.writeDecimal(entry.bytesOut)
        lines.writeStaticString(",\"us\":")
        lines.writeDecimal(Int(entry.took.nanoseconds / 1000))
        lines.writeStaticString(",\"client\":\"")
        lines.writeString(entry.client)
        lines.writeStaticString("\",\"upstream\":\"")
        lines.writeString(entry.upstream)
        lines.writeStaticString("\",\"request\":\"")
        lines.writeHex(entry.requestID)
        lines.writeStaticString("\",\"trace\":\"")
        lines.writeHex(entry.traceID.0)
        lines.writeHex(entry.traceID.1)
        lines.writeStaticString("\"}\n")
    }

    /// Hands what is gathered to the writing thread.
    func flush() {
        guard lines.readableBytes > 0 else { return }
        let size = lines.capacity
        writer.write(lines)
        lines = ByteBufferAllocator().buffer(capacity: size)
    }
}

extension ByteBuffer {
    /// Writes a number that is not negative, in decimal.
    ///
    /// - Parameter digits: the least number of digits; 0s are put in front.
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
