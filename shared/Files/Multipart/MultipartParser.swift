import NIOCore

/// An incremental parser of multipart bodies (RFC 2046 §5.1.1), independent of buffer boundaries. It buffers no more
/// than a boundary, or the headers of one part.
struct MultipartParser {
    enum Event: Equatable {
        case part(MultipartPart)
        /// Some bytes of the current part.
        case bytes(ByteBuffer)
        case endOfPart
        /// The closing boundary; bytes after it are ignored.
        case end
    }

    private enum State {
        case preamble, delimiter, headers, bodyStart, body, ended
    }

    private let limits: MultipartLimits
    /// CRLF, two hyphens, the boundary.
    private let delimiter: [UInt8]
    private var state = State.preamble
    private var buffer: ByteBuffer
    private var parts = 0
    private var isEmpty = true

    init(_ boundary: MultipartBoundary, limits: MultipartLimits) {
        self.limits = limits
        delimiter = Array("\r\n--".utf8) + boundary.bytes
        // The first boundary may be at the very start of the body, so a line end is prepended.
        buffer = ByteBuffer(string: "\r\n")
    }

    mutating func feed(_ chunk: ByteBuffer) {
        guard chunk.readableBytes > 0 else { return }
        isEmpty = false
        if buffer.readableBytes == 0 {
            buffer = chunk
        } else {
            buffer.discardReadBytes()
            buffer.writeImmutableBuffer(chunk)
        }
    }

    /// The next event; nil if more bytes are needed.
    mutating func next() throws(MultipartError) -> Event? {
        while true {
            switch state {
            case .preamble:
                guard skipPreamble() else { return nil }
                state = .delimiter
            case .delimiter:
                guard let isLast = try readDelimiter() else { return nil }
                state = isLast ? .ended : .headers
                if isLast { return .end }
            case .headers:
                guard let block = try readHeaders() else { return nil }
                parts += 1
                guard parts <= limits.parts else { throw .tooManyParts(limit: limits.parts) }
                state = .bodyStart
                return .part(try MultipartPart(headers: block))
            case .bodyStart:
                guard skipEmptyLine() else { return nil }
                state = .body
            case .body:
                return nextOfBody()
            case .ended:
                return .end
            }
        }
    }

    /// Throws if the body has ended prematurely.
    func checkEnd() throws(MultipartError) {
        switch state {
        case .ended: return
        case .preamble: throw isEmpty ? .empty : .boundaryNotFound
        case .delimiter, .headers, .bodyStart, .body: throw .truncated
        }
    }

    // MARK: Steps

    private mutating func skipPreamble() -> Bool {
        let (position, isWhole) = findDelimiter()
        buffer.moveReaderIndex(forwardBy: position)
        if isWhole { buffer.moveReaderIndex(forwardBy: delimiter.count) }
        return isWhole
    }

    /// Reads the bytes after a boundary: `--` after the last one, otherwise blanks and the line end. The line end is
    /// not consumed, because headers end with a line end and an empty line.
    ///
    /// - Returns: Whether it was the last boundary; nil if more bytes are needed.
    private mutating func readDelimiter() throws(MultipartError) -> Bool? {
        let bytes = buffer.readableBytesView
        if bytes.first == UInt8(ascii: "-") {
            guard bytes.count >= 2 else { return nil }
            guard bytes[bytes.startIndex + 1] == UInt8(ascii: "-") else { throw .delimiter }
            return true
        }
        let end = bytes.prefix(limits.headers).drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let first = end.first else {
            guard bytes.count < limits.headers else { throw .delimiter }
            return nil
        }
        guard first == .carriageReturn else { throw .delimiter }
        guard end.count >= 2 else { return nil }
        guard end[end.startIndex + 1] == .lineFeed else { throw .delimiter }
        buffer.moveReaderIndex(to: end.startIndex)
        return false
    }

    private mutating func readHeaders() throws(MultipartError) -> [UInt8]? {
        let bytes = buffer.readableBytesView.prefix(limits.headers)
        var index = bytes.startIndex
        while let end = bytes[index...].firstIndex(of: .carriageReturn) {
            if bytes[end...].starts(with: Self.emptyLine) {
                let block = Array(bytes[bytes.startIndex..<(end + 2)].dropFirst(2))
                buffer.moveReaderIndex(to: end + 2)
                return block
            }
            index = end + 1
        }
        guard buffer.readableBytes < limits.headers else { throw .headersTooLarge(limit: limits.headers) }
        return nil
    }

    /// Skips the empty line after the headers, unless it belongs to a boundary, so that the part has no body.
    ///
    /// - Returns: False if more bytes are needed.
    private mutating func skipEmptyLine() -> Bool {
        let bytes = buffer.readableBytesView.prefix(delimiter.count)
        if bytes.elementsEqual(delimiter) { return true }
        guard !delimiter.starts(with: bytes) else { return false }
        buffer.moveReaderIndex(forwardBy: 2)
        return true
    }

    private mutating func nextOfBody() -> Event? {
        let (position, isWhole) = findDelimiter()
        if position > 0 { return buffer.readSlice(length: position).map(Event.bytes) }
        guard isWhole else { return nil }
        buffer.moveReaderIndex(forwardBy: delimiter.count)
        state = .delimiter
        return .endOfPart
    }

    /// The start of the next delimiter, or of a possible delimiter at the end of the buffer; the end of the buffer if
    /// there is neither.
    private func findDelimiter() -> (position: Int, isWhole: Bool) {
        let bytes = buffer.readableBytesView
        var index = bytes.startIndex
        while let start = bytes[index...].firstIndex(of: .carriageReturn) {
            let candidate = bytes[start...].prefix(delimiter.count)
            if delimiter.starts(with: candidate) {
                return (start - bytes.startIndex, candidate.count == delimiter.count)
            }
            index = start + 1
        }
        return (bytes.count, false)
    }

    private static let emptyLine = Array("\r\n\r\n".utf8)
}

/// The limits on a body.
package struct MultipartLimits: Sendable {
    package var parts: Int
    /// The maximum size of one part's headers, in bytes.
    package var headers: Int

    package init(parts: Int = 32, headers: Int = 8192) {
        self.parts = parts
        self.headers = headers
    }
}
