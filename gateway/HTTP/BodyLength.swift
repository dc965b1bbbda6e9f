/// How the length of a message body is determined (RFC 9112 §6.3).
enum BodyLength: Sendable, Equatable {
    case none
    /// A number of bytes; above 0 for requests.
    case bytes(Int)
    case chunked
    /// Everything until the connection closes; responses only.
    case untilClose
}

extension HeaderFields {
    /// The length that the framing fields state, or nil if there are none.
    ///
    /// At most one of the two fields is allowed, once, and in its unambiguous form: digits, or `chunked`.
    func statedLength(_ bytes: Span<UInt8>) throws(HTTPFault) -> BodyLength? {
        if let coding = value(.transferEncoding) {
            guard !present.contains(.contentLength) else { throw .conflictingLengths }
            guard bytes.matches("chunked", in: coding) else { throw .transferEncoding }
            return .chunked
        }
        guard let digits = value(.contentLength) else { return nil }
        guard (1...18).contains(digits.count) else { throw .contentLength }
        var length = 0
        for index in digits {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { throw .contentLength }
            length = length * 10 + Int(digit)
        }
        return .bytes(length)
    }
}
