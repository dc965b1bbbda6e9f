/// A strict parser of chunked bodies (RFC 9112 §7.1): sizes are plain hexadecimal, lines end in CRLF, trailers are
/// skipped. Extensions are refused, because their only practical use is request smuggling.
struct ChunkReader: Sendable {
    /// A parsed piece of the body.
    enum Step: Equatable, Sendable {
        case content(Range<Int>)
        /// Chunk sizes, line ends and trailers.
        case framing(Range<Int>)

        /// The start of the next step.
        var upperBound: Int {
            switch self {
            case .content(let range), .framing(let range): range.upperBound
            }
        }
    }

    private enum State: Equatable {
        case size(digits: Int), sizeLineFeed, content, contentEnd, contentLineFeed
        case trailerStart, trailerName, trailerValue, trailerLineFeed, lastLineFeed, ended
    }

    /// The maximum number of digits of a chunk size: 256 MiB.
    private static let digitLimit = 7
    private static let trailerLimit = 4096

    private var state = State.size(digits: 0)
    private var remaining = 0
    private var trailerBytes = 0

    /// Whether the last byte of the body has been read.
    var isAtEnd: Bool { state == .ended }

    /// Parses the next piece of the body.
    ///
    /// - Parameters:
    ///   - bytes: The received bytes.
    ///   - start: The start of the unread part, which holds at least one byte.
    mutating func step(_ bytes: Span<UInt8>, from start: Int) throws(HTTPFault) -> Step {
        if state == .content {
            let end = min(start + remaining, bytes.count)
            remaining -= end - start
            if remaining == 0 { state = .contentEnd }
            return .content(start..<end)
        }
        var index = start
        while index < bytes.count, state != .content, state != .ended {
            try read(bytes[index])
            index += 1
        }
        return .framing(start..<index)
    }

    private mutating func read(_ byte: UInt8) throws(HTTPFault) {
        switch state {
        case .size(let digits):
            if byte == .carriageReturn, digits > 0 {
                state = .sizeLineFeed
            } else {
                guard let value = byte.hexValue, digits < Self.digitLimit else { throw .chunk }
                remaining = remaining << 4 | Int(value)
                state = .size(digits: digits + 1)
            }
        case .sizeLineFeed:
            try expect(.lineFeed, byte)
            state = remaining > 0 ? .content : .trailerStart
        case .content, .ended:
            break
        case .contentEnd:
            try expect(.carriageReturn, byte)
            state = .contentLineFeed
        case .contentLineFeed:
            try expect(.lineFeed, byte)
            state = .size(digits: 0)
        case .trailerStart, .trailerName, .trailerValue:
            try readTrailer(byte)
        case .trailerLineFeed:
            guard byte == .lineFeed else { throw .trailer }
            state = .trailerStart
        case .lastLineFeed:
            try expect(.lineFeed, byte)
            state = .ended
        }
    }

    private mutating func readTrailer(_ byte: UInt8) throws(HTTPFault) {
        trailerBytes += 1
        guard trailerBytes <= Self.trailerLimit else { throw .trailer }
        switch (state, byte) {
        case (.trailerStart, .carriageReturn): state = .lastLineFeed
        case (.trailerName, .colon): state = .trailerValue
        case (.trailerValue, .carriageReturn): state = .trailerLineFeed
        case (.trailerStart, _), (.trailerName, _):
            guard ByteSet.token.contains(byte) else { throw .trailer }
            state = .trailerName
        default:
            guard ByteSet.fieldValue.contains(byte) || byte >= 0x80 else { throw .trailer }
        }
    }

    private func expect(_ expected: UInt8, _ byte: UInt8) throws(HTTPFault) {
        guard byte == expected else { throw .chunk }
    }
}
