import Glibc

/// Finds the end of a message's head in bytes that arrive in pieces, looking at each byte once.
///
/// A line that ends in a lone LF is refused as soon as it is seen, so that a sender of something else than HTTP is not
/// waited for.
struct HeadScanner: Sendable {
    /// Bytes that have been looked at.
    private var scanned = 0
    private var lineStart = 0
    /// Lines found so far, the first included.
    private var lines = 0

    /// - Parameters:
    ///   - bytes: everything of the head that has arrived; must only ever grow between calls.
    ///   - sizeLimit: the largest head, in bytes.
    ///   - lineLimit: the most lines.
    /// - Returns: the length of the head with its empty line, or nil when that has not arrived yet.
    mutating func end(
        of bytes: Span<UInt8>,
        sizeLimit: Int,
        lineLimit: Int
    ) throws(HTTPFault) -> Int? {
        // Neither a line end nor anything else that no method begins with: this is no HTTP.
        if scanned == 0, bytes.count > 0, !ByteSet.token.contains(bytes[0]) { throw .requestLine }
        while let lineFeed = bytes.firstIndex(of: .lineFeed, from: scanned) {
            guard lineFeed > lineStart, bytes[lineFeed - 1] == .carriageReturn else { throw .lineEnd }
            scanned = lineFeed + 1
            guard scanned <= sizeLimit else { throw .headTooLarge }
            if lineFeed - 1 == lineStart { return scanned }
            lineStart = scanned
            lines += 1
            guard lines <= lineLimit else { throw .tooManyFields }
        }
        scanned = bytes.count
        guard scanned < sizeLimit else { throw .headTooLarge }
        return nil
    }

    /// Starts over for the next head.
    mutating func reset() {
        self = HeadScanner()
    }
}

extension Span<UInt8> {
    /// The first place of a byte at or after an index.
    @inline(__always)
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < count else { return nil }
        return withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress, let found = memchr(base + start, Int32(byte), bytes.count - start)
            else { return nil }
            return UnsafeRawPointer(base).distance(to: found)
        }
    }
}
