import FoundationEssentials
import NIOCore

/// What a server sends (NATS documentation, "Client Protocol").
enum ServerOperation: Equatable {
    case info(ServerInfo)
    case message(subject: String, payload: String)
    case ping, pong, ok
    case error(String)
}

/// Reads operations from bytes that arrive in any parts. It holds at most one line, or one payload of the size that the
/// server has announced, beside the bytes that were appended last.
struct OperationParser {
    /// Bytes that are no operation. The connection must be closed.
    struct Malformed: Error, Equatable {
        /// What the server has sent, in words.
        var problem: String
    }

    private var buffer = ByteBuffer()
    /// The number of unread bytes that have no line end.
    private var scanned = 0
    /// The message whose payload comes next.
    private var message: (subject: String, size: Int)?
    /// The largest payload in bytes.
    private var maxPayload = 1 << 20

    /// The longest line in bytes, and the longest INFO, which lists the servers of a cluster.
    private static let lineLimit = 4096
    private static let infoLimit = 32 * 1024
    private static let lineEnd = [UInt8](Array("\r\n".utf8))

    /// Whether everything that was appended has been read.
    var isEmpty: Bool { buffer.readableBytes == 0 && message == nil }

    mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// The next operation; nil until more bytes have arrived.
    mutating func next() throws(Malformed) -> ServerOperation? {
        if message == nil {
            guard let line = try readLine() else { return nil }
            if let operation = try operation(line) { return operation }
        }
        guard let message, buffer.readableBytes >= message.size + 2 else { return nil }
        let payload = buffer.readString(length: message.size) ?? ""
        guard buffer.readBytes(length: 2) == Self.lineEnd else {
            throw Malformed(problem: "a payload without a line end behind it")
        }
        self.message = nil
        return .message(subject: message.subject, payload: payload)
    }

    private mutating func readLine() throws(Malformed) -> ArraySlice<UInt8>? {
        let unread = buffer.readableBytesView.dropFirst(scanned)
        guard let end = unread.firstIndex(of: UInt8(ascii: "\n")) else {
            scanned = buffer.readableBytes
            guard scanned <= Self.infoLimit else { throw Malformed(problem: "a line without an end") }
            return nil
        }
        let length = end - buffer.readerIndex + 1
        scanned = 0
        guard length <= Self.infoLimit, let line = buffer.readBytes(length: length), line.suffix(2) == Self.lineEnd[...]
        else { throw Malformed(problem: "a line without an end") }
        return line.dropLast(2)
    }

    /// The operation of a line; nil for a message, whose payload follows.
    private mutating func operation(_ line: ArraySlice<UInt8>) throws(Malformed) -> ServerOperation? {
        let parts = line.split(maxSplits: 1, omittingEmptySubsequences: false) { $0.isSpace }
        let rest = parts.count == 2 ? parts[1] : []
        let name = String(decoding: parts.first ?? [], as: UTF8.self).uppercased()
        guard name == "INFO" || line.count <= Self.lineLimit else {
            throw Malformed(problem: "a line that is too long")
        }
        switch name {
        case "MSG": message = try header(rest)
        case "PING": return .ping
        case "PONG": return .pong
        case "+OK": return .ok
        case "-ERR": return .error(String(decoding: rest, as: UTF8.self).filter { $0 != "'" })
        case "INFO":
            guard let info = try? JSONDecoder().decode(ServerInfo.self, from: Data(rest)) else {
                throw Malformed(problem: "an INFO that is no JSON object")
            }
            maxPayload = info.maxPayload
            return .info(info)
        default: throw Malformed(problem: "an operation that NATS does not have")
        }
        return nil
    }

    /// `subject id size`, or `subject id reply size`.
    private func header(_ text: ArraySlice<UInt8>) throws(Malformed) -> (subject: String, size: Int) {
        let words = text.split(whereSeparator: \.isSpace)
        guard (3...4).contains(words.count), let last = words.last, last.count <= 10,
            last.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let size = Int(String(decoding: last, as: UTF8.self)),
            let subject = String(validating: words[0], as: UTF8.self)
        else { throw Malformed(problem: "a malformed MSG") }
        guard size <= maxPayload else { throw Malformed(problem: "a payload that is too long") }
        return (subject, size)
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}
