import NIOCore

/// Parses frames from bytes that arrive in pieces (STOMP 1.2, "Augmented BNF").
///
/// CR LF is accepted as LF; line ends between frames are heart-beats. Invalid input throws a `STOMPRefusal`, after
/// which the decoder cannot continue.
struct STOMPDecoder {
    enum Event: Equatable {
        case frame(STOMPFrame)
        case beat
    }

    /// The negotiated version, which determines how headers are unescaped.
    var version = STOMPVersion.v12
    private let limits: STOMPLimits
    private var buffer = ByteBuffer()
    /// The number of bytes at the front of the buffer that have been searched without finding the end.
    private var scanned = 0
    private var phase = Phase.between
    private var headSize = 0

    private enum Phase {
        case between
        case head(STOMPFrame)
        /// The length is nil if the body ends with the first NUL.
        case body(STOMPFrame, length: Int?)
    }

    init(_ limits: STOMPLimits) {
        self.limits = limits
    }

    /// The number of unread bytes.
    var waiting: Int { buffer.readableBytes }

    mutating func append(_ bytes: ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.writeImmutableBuffer(bytes)
        }
    }

    /// The next frame or heart-beat; nil until more bytes have arrived.
    mutating func next() throws(STOMPRefusal) -> Event? {
        while true {
            switch phase {
            case .between:
                guard let line = try line() else { return nil }
                if line.isEmpty { return .beat }
                headSize = 0
                phase = .head(STOMPFrame(line))
            case .head(var frame):
                guard let line = try line() else { return nil }
                if line.isEmpty {
                    phase = .body(frame, length: try length(of: frame))
                } else {
                    try read(line, into: &frame)
                    phase = .head(frame)
                }
            case .body(var frame, let length):
                guard let body = try body(length) else { return nil }
                frame.body = body
                phase = .between
                scanned = 0
                if buffer.readableBytes == 0 { buffer = ByteBuffer() }
                return .frame(frame)
            }
        }
    }

    /// The bytes of the frame that is not complete: they bring a new decoder into the same state.
    var unread: ByteBuffer {
        var bytes = ByteBuffer()
        switch phase {
        case .between:
            break
        case .head(let frame):
            bytes.writeLines(of: frame, isPlain: isPlain(frame))
        case .body(let frame, _):
            bytes.writeLines(of: frame, isPlain: isPlain(frame))
            bytes.writeInteger(UInt8(0x0a))
        }
        bytes.writeImmutableBuffer(buffer)
        return bytes
    }

    private func isPlain(_ frame: STOMPFrame) -> Bool {
        !version.escapes || ["CONNECT", "CONNECTED"].contains(frame.command)
    }

    // MARK: Lines

    private mutating func line() throws(STOMPRefusal) -> String? {
        let rest = buffer.readableBytesView.dropFirst(scanned)
        guard let end = rest.firstIndex(where: { $0 == 0x0a || $0 == 0 }) else {
            scanned = buffer.readableBytes
            guard headSize + scanned <= limits.headSize else { throw STOMPRefusal("The headers are too large.") }
            if scanned == 0 { buffer = ByteBuffer() }
            return nil
        }
        guard rest[end] == 0x0a else { throw STOMPRefusal("A frame ends inside of its headers.") }
        let length = end - buffer.readerIndex
        scanned = 0
        headSize += length + 1
        guard headSize <= limits.headSize else { throw STOMPRefusal("The headers are too large.") }
        var bytes = buffer.readSlice(length: length)?.readableBytesView ?? ByteBufferView()
        buffer.moveReaderIndex(forwardBy: 1)
        if bytes.last == 0x0d { bytes = bytes.dropLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw STOMPRefusal("A header is not UTF-8.")
        }
        return text
    }

    private func read(_ line: String, into frame: inout STOMPFrame) throws(STOMPRefusal) {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex else {
            throw STOMPRefusal("A header has no name or no colon.")
        }
        guard frame.headers.count < limits.headerCount else { throw STOMPRefusal("There are too many headers.") }
        let isPlain = isPlain(frame)
        let (name, value) = (line[..<colon], line[line.utf8.index(after: colon)...])
        frame.headers.append(
            isPlain ? String(name) : try STOMPEscapes.undo(name),
            isPlain ? String(value) : try STOMPEscapes.undo(value)
        )
    }

    // MARK: Bodies

    private func length(of frame: STOMPFrame) throws(STOMPRefusal) -> Int? {
        guard let text = frame.headers["content-length"] else { return nil }
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(text) else {
            throw STOMPRefusal("The content-length is not a number.", receipt: frame.headers["receipt"])
        }
        guard length <= limits.bodySize else {
            throw STOMPRefusal("The body is too large.", receipt: frame.headers["receipt"])
        }
        return length
    }

    private mutating func body(_ length: Int?) throws(STOMPRefusal) -> ByteBuffer? {
        if let length {
            guard buffer.readableBytes > length else { return nil }
            let body = buffer.readSlice(length: length)
            guard buffer.readInteger(as: UInt8.self) == 0 else {
                throw STOMPRefusal("A frame does not end where its content-length says.")
            }
            return body
        }
        let rest = buffer.readableBytesView.dropFirst(scanned)
        let end = rest.firstIndex(of: 0)
        scanned = end.map { $0 - buffer.readerIndex } ?? buffer.readableBytes
        guard scanned <= limits.bodySize else { throw STOMPRefusal("The body is too large.") }
        guard end != nil else { return nil }
        let body = buffer.readSlice(length: scanned)
        buffer.moveReaderIndex(forwardBy: 1)
        return body
    }
}

extension ByteBuffer {
    /// Writes the command and the headers of a frame as the decoder has read them.
    fileprivate mutating func writeLines(of frame: STOMPFrame, isPlain: Bool) {
        writeLine(frame.command)
        for header in frame.headers.entries {
            if isPlain {
                writeLine("\(header.name):\(header.value)")
            } else {
                writeLine("\(STOMPEscapes.escape(header.name)):\(STOMPEscapes.escape(header.value))")
            }
        }
    }

    private mutating func writeLine(_ line: String) {
        writeString(line)
        // One CR before the LF belongs to the line end.
        if line.utf8.last == 0x0d { writeInteger(UInt8(0x0d)) }
        writeInteger(UInt8(0x0a))
    }
}
