/// The content codings that a client accepts, by its `Accept-Encoding` fields (RFC 9110 §12.5.3).
struct AcceptEncoding {
    /// The weights of the codings that matter here, in thousandths; nil for those that the fields do not name.
    private var gzip: Int?
    private var identity: Int?
    private var others: Int?
    private var isValid = true

    /// Whether a response may be compressed with gzip: the client accepts it, and does not prefer that nothing is done.
    ///
    /// Without the field any coding would be allowed. It is not used then, because a client that knows gzip says so. The
    /// same holds for a field that is malformed.
    var allowsGzip: Bool {
        let weight = gzip ?? others ?? 0
        return isValid && weight > 0 && weight >= identity ?? 0
    }

    init(_ fields: HeaderFields, of bytes: Span<UInt8>) {
        guard fields.present.contains(.acceptEncoding) else { return }
        for field in fields.lines where field.name == .acceptEncoding {
            bytes.forEachElement(of: field.value) { read($0, of: bytes) }
        }
    }

    private mutating func read(_ element: Range<Int>, of bytes: Span<UInt8>) {
        let semicolon = element.first { bytes[$0] == UInt8(ascii: ";") }
        let name = bytes.trimmed(element.lowerBound..<(semicolon ?? element.upperBound))
        let weight = semicolon.map { bytes.weight(in: bytes.trimmed(($0 + 1)..<element.upperBound)) } ?? 1000
        guard let weight, !name.isEmpty, name.allSatisfy({ ByteSet.token.contains(bytes[$0]) }) else {
            isValid = false
            return
        }
        // `x-gzip` is another name for it (RFC 9110 §8.4.1.3). Of two weights the lower one counts.
        if bytes.matches("gzip", in: name) || bytes.matches("x-gzip", in: name) {
            gzip = min(gzip ?? 1000, weight)
        } else if bytes.matches("identity", in: name) {
            identity = min(identity ?? 1000, weight)
        } else if bytes.matches("*", in: name) {
            others = min(others ?? 1000, weight)
        }
    }
}

extension Span<UInt8> {
    /// Calls a closure with each element of a list that is separated by commas (RFC 9110 §5.6.1), without empty ones.
    func forEachElement(of list: Range<Int>, _ body: (Range<Int>) -> Void) {
        var start = list.lowerBound
        while start < list.upperBound {
            var end = start
            while end < list.upperBound, self[end] != .comma { end += 1 }
            let element = trimmed(start..<end)
            if !element.isEmpty { body(element) }
            start = end + 1
        }
    }

    /// The weight that `q=0.5` states (RFC 9110 §12.4.2), in thousandths; nil if it is malformed.
    fileprivate func weight(in range: Range<Int>) -> Int? {
        guard (3...7).contains(range.count), matches("q=", in: range.prefix(2)) else { return nil }
        var (value, unit) = (0, 1000)
        for (position, index) in range.dropFirst(2).enumerated() where position != 1 {
            guard let digit = self[index].hexValue, digit < 10 else { return nil }
            value += Int(digit) * unit
            unit /= 10
        }
        guard range.count == 3 || self[range.lowerBound + 3] == UInt8(ascii: ".") else { return nil }
        return value <= 1000 ? value : nil
    }
}
