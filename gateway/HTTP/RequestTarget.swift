/// A normalized request target, used for routing, logging and forwarding.
///
/// Unnecessary percent-encoding is decoded and the rest written with upper-case digits (RFC 3986 §6.2.2); trailing
/// slashes and a lone `?` are removed. Ambiguous targets are refused: an encoded slash or backslash, a control
/// character, a dot segment.
struct RequestTarget: Sendable {
    /// One segment of the path: a range of `bytes`, and its hash (FNV-1a).
    struct Segment: Sendable {
        var range: Range<Int>
        var hash: UInt32

        static let emptyHash: UInt32 = 0x811c_9dc5

        static func hash(_ hash: UInt32, adding byte: UInt8) -> UInt32 {
            (hash ^ UInt32(byte)) &* 0x0100_0193
        }
    }

    /// The path, then `?` and the query if there is one.
    private(set) var bytes: [UInt8] = []
    private(set) var segments: [Segment] = []
    private(set) var pathEnd = 0

    /// - Parameter raw: The target in origin-form (RFC 9112 §3.2.1).
    mutating func read(_ raw: Span<UInt8>) throws(HTTPFault) {
        bytes.removeAll(keepingCapacity: true)
        segments.removeAll(keepingCapacity: true)
        guard raw.count > 0, raw[0] == .slash else { throw .target }
        let queryMark = try readPath(raw)
        pathEnd = bytes.count
        if queryMark + 1 < raw.count { try readQuery(raw, from: queryMark) }
    }

    /// - Returns: The end of the path in `raw`.
    private mutating func readPath(_ raw: Span<UInt8>) throws(HTTPFault) -> Int {
        var index = 0
        while index < raw.count, raw[index] == .slash {
            bytes.append(.slash)
            index += 1
            let start = bytes.count
            var hash = Segment.emptyHash
            while index < raw.count, raw[index] != .slash, raw[index] != .question {
                let byte = raw[index]
                if ByteSet.segment.contains(byte) {
                    bytes.append(byte)
                    hash = Segment.hash(hash, adding: byte)
                    index += 1
                } else {
                    guard byte == .percent else { throw .target }
                    hash = try readEncoded(raw, at: index, hash: hash)
                    index += 3
                }
            }
            try end(Segment(range: start..<bytes.count, hash: hash))
        }
        // A trailing slash is an empty last segment.
        while segments.count > 1, segments[segments.count - 1].range.isEmpty {
            segments.removeLast()
            bytes.removeLast()
        }
        return index
    }

    private mutating func readEncoded(
        _ raw: Span<UInt8>,
        at index: Int,
        hash: UInt32
    ) throws(HTTPFault) -> UInt32 {
        let byte = try Self.decoded(raw, at: index)
        guard byte >= 0x20, byte != 0x7f, byte != .slash, byte != UInt8(ascii: "\\") else { throw .target }
        if ByteSet.unreserved.contains(byte) {
            bytes.append(byte)
            return Segment.hash(hash, adding: byte)
        }
        var hash = hash
        for character in [UInt8.percent, Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]] {
            bytes.append(character)
            hash = Segment.hash(hash, adding: character)
        }
        return hash
    }

    private mutating func end(_ segment: Segment) throws(HTTPFault) {
        let length = segment.range.count
        if length == 1 || length == 2, bytes[segment.range].allSatisfy({ $0 == UInt8(ascii: ".") }) { throw .target }
        segments.append(segment)
    }

    private mutating func readQuery(_ raw: Span<UInt8>, from mark: Int) throws(HTTPFault) {
        bytes.append(.question)
        var index = mark + 1
        while index < raw.count {
            let byte = raw[index]
            if !ByteSet.query.contains(byte) {
                guard byte == .percent, try Self.decoded(raw, at: index) != 0 else { throw .target }
            }
            bytes.append(byte)
            index += 1
        }
    }

    private static func decoded(_ raw: Span<UInt8>, at index: Int) throws(HTTPFault) -> UInt8 {
        guard index + 2 < raw.count, let high = raw[index + 1].hexValue, let low = raw[index + 2].hexValue else {
            throw .target
        }
        return high << 4 | low
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    mutating func setQuery(_ query: some Sequence<UInt8>) {
        bytes.removeSubrange(pathEnd...)
        bytes.append(.question)
        bytes.append(contentsOf: query)
    }
}
