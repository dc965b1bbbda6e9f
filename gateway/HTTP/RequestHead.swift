import Apps

/// The methods that routes can have. Any other valid token is `other`, which no route has.
enum Method: UInt8, Sendable, CaseIterable {
    case get, head, post, put, patch, delete, options, other

    init(_ method: Operation.Method) {
        switch method {
        case .get: self = .get
        case .post: self = .post
        case .put: self = .put
        case .patch: self = .patch
        case .delete: self = .delete
        }
    }

    var spelling: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other: ""
        }
    }

    /// Whether the request changes nothing (RFC 9110 §9.2.1).
    var isSafe: Bool {
        switch self {
        case .get, .head, .options: true
        case .post, .put, .patch, .delete, .other: false
        }
    }

    /// Whether repeating the request has no further effect (RFC 9110 §9.2.2).
    var isIdempotent: Bool {
        switch self {
        case .get, .head, .put, .delete, .options: true
        case .post, .patch, .other: false
        }
    }
}

/// A strictly parsed request head (RFC 9112 §3, §5). The storage is reused for every request of a connection.
struct RequestHead: Sendable {
    private(set) var method = Method.other
    private(set) var methodRange = 0..<0
    /// The request target as received.
    private(set) var target = 0..<0
    /// The Host field's value.
    private(set) var host = 0..<0
    private(set) var body = BodyLength.none
    private(set) var expectsContinue = false
    private(set) var fields = HeaderFields()

    /// - Parameters:
    ///   - bytes: The head with its empty line, as found by `HeadScanner`.
    ///   - targetLimit: The maximum length of the request target, in bytes.
    mutating func read(_ bytes: Span<UInt8>, targetLimit: Int) throws(HTTPFault) {
        let lineEnd = try readRequestLine(bytes, targetLimit: targetLimit)
        try fields.read(bytes, from: lineEnd)
        guard let host = fields.value(.host), HostField.isValid(host, in: bytes) else { throw .host }
        self.host = host
        let length = try fields.statedLength(bytes) ?? .none
        body = length == .bytes(0) ? .none : length
        expectsContinue = false
        if let expectation = fields.value(.expect) {
            guard bytes.matches("100-continue", in: expectation) else { throw .expectation }
            expectsContinue = true
        }
    }

    /// - Returns: The start of the line after the request line.
    private mutating func readRequestLine(
        _ bytes: Span<UInt8>,
        targetLimit: Int
    ) throws(HTTPFault) -> Int {
        var index = 0
        while ByteSet.token.contains(bytes[index]) { index += 1 }
        guard index > 0, bytes[index] == .space else { throw .method }
        methodRange = 0..<index
        method = Self.method(bytes, length: index)
        index += 1
        let targetStart = index
        while bytes[index] > .space, bytes[index] < 0x7f { index += 1 }
        guard bytes[index] == .space, index > targetStart else { throw .requestLine }
        guard index - targetStart <= targetLimit else { throw .targetTooLong }
        target = targetStart..<index
        let version = (index + 1)..<(index + 9)
        guard version.upperBound + 1 < bytes.count, bytes.spells("HTTP/", in: version.lowerBound..<(index + 6)),
            bytes[version.upperBound] == .carriageReturn, bytes[version.upperBound + 1] == .lineFeed
        else { throw .requestLine }
        guard bytes[index + 6] == UInt8(ascii: "1"), bytes[index + 7] == UInt8(ascii: "."),
            bytes[index + 8] == UInt8(ascii: "1")
        else { throw .version }
        return version.upperBound + 2
    }

    private static func method(_ bytes: Span<UInt8>, length: Int) -> Method {
        switch bytes[0] {
        case UInt8(ascii: "G"): exactly(.get, bytes, length)
        case UInt8(ascii: "H"): exactly(.head, bytes, length)
        case UInt8(ascii: "D"): exactly(.delete, bytes, length)
        case UInt8(ascii: "O"): exactly(.options, bytes, length)
        case UInt8(ascii: "P"):
            length == 3
                ? exactly(.put, bytes, length)
                : length == 4 ? exactly(.post, bytes, length) : exactly(.patch, bytes, length)
        default: .other
        }
    }

    /// Methods are case-sensitive: `get` is not `GET`.
    private static func exactly(_ method: Method, _ bytes: Span<UInt8>, _ length: Int) -> Method {
        bytes.spells(method.spelling, in: 0..<length) ? method : .other
    }
}
