import NIOCore

/// Takes a body apart as its bytes arrive, whatever the edges of the buffers they come in (RFC 2046 §5.1.1). Holds back no
/// more than a boundary, or the headers of one part.
struct MultipartParser {
    enum Event: Equatable {
        case part(MultipartPart)
        /// Some bytes of the current part.
        case bytes(ByteBuffer)
        case endOfPart
        /// The closing boundary; what follows it is none of our business.
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
        // The first boundary may stand at the very start: as if a line had ended before.
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

    /// What comes next; nil when that takes more bytes.
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

    /// Says what is wrong with a body that has come to its end, when something is.
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

    /// Reads what follows a boundary: `--` at the last one; else blanks, and the end of the line, which stays, as headers
    /// end with a line's end and an empty line.
    ///
    /// - Returns: whether it was the last; nil when that takes more bytes.
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

    /// Skips the empty line behind the headers, unless it belongs to a boundary: then the part has no body at all.
    ///
    /// - Returns: false when that takes more bytes.
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

    /// Where the next delimiter begins, or what may become one at the buffer's end; the buffer's end when there is neither.
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

/// How much a body may ask of its reader.
package struct MultipartLimits: Sendable {
    package var parts: Int
    /// Bytes of one part's headers.
    package var headers: Int

    package init(parts: Int = 32, headers: Int = 8192) {
        self.parts = parts
        self.headers = headers
    }
}
