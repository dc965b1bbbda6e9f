import Glibc

/// Finds the end of a message head in bytes that arrive in pieces, and scans each byte once.
///
/// A line that ends in a lone LF is refused at once, so that the gateway does not wait for the end of something that is
/// not HTTP.
struct HeadScanner: Sendable {
    /// The number of scanned bytes.
    private var scanned = 0
    private var lineStart = 0
    /// The number of lines found so far, including the first.
    private var lines = 0

    /// - Parameters:
    ///   - bytes: All received bytes of the head; they may only grow between calls.
    ///   - sizeLimit: The maximum size of the head, in bytes.
    ///   - lineLimit: The maximum number of lines.
    /// - Returns: The length of the head including its empty line, or nil if it is incomplete.
    mutating func end(
        of bytes: Span<UInt8>,
        sizeLimit: Int,
        lineLimit: Int
    ) throws(HTTPFault) -> Int? {
        // A method begins with a token character, so this is not HTTP.
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

    /// Resets the scanner for the next head.
    mutating func reset() {
        self = HeadScanner()
    }
}

extension Span<UInt8> {
    /// The index of the first occurrence of a byte at or after an index.
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
