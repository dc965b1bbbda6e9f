import Contracts

/// The head of a service's response. The storage is reused for every response of a connection.
struct ResponseHead: Sendable {
    /// 100 to 599.
    private(set) var status = 0
    /// Status code and reason as received: `200 OK`.
    private(set) var statusText = 0..<0
    private(set) var fields = HeaderFields()

    /// - Parameter bytes: The head with its empty line, as found by `HeadScanner`.
    mutating func read(_ bytes: Span<UInt8>) throws(HTTPFault) {
        // `HTTP/1.1 200 OK`: the reason may be empty (RFC 9112 §4).
        guard bytes.count > 15, bytes.spells("HTTP/1.1 ", in: 0..<9) else { throw .version }
        var code = 0
        for index in 9..<12 {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { throw .statusLine }
            code = code * 10 + Int(digit)
        }
        guard (100..<600).contains(code), bytes[12] == .space || bytes[12] == .carriageReturn else { throw .statusLine }
        let index = bytes.endOfFieldValue(from: 12)
        guard bytes[index] == .carriageReturn, bytes[index + 1] == .lineFeed else { throw .statusLine }
        status = code
        statusText = 9..<index
        try fields.read(bytes, from: index + 2)
    }

    /// The length of the body (RFC 9112 §6.3).
    ///
    /// - Parameter method: The method of the request.
    func bodyLength(_ bytes: Span<UInt8>, answering method: Method) throws(HTTPFault) -> BodyLength {
        let stated = try fields.statedLength(bytes)
        if method == .head || status < 200 || status == 204 || status == 304 { return .none }
        return stated ?? .untilClose
    }

    /// The length that the head is to state to the client: in a response to HEAD, or with status 304, that of the response
    /// to a GET (RFC 9110 §8.6).
    ///
    /// - Parameter length: The length of the body.
    func statedLength(_ bytes: Span<UInt8>, _ length: BodyLength, answering method: Method) -> BodyLength {
        guard length == .none, method == .head || status == 304 else { return length }
        return (try? fields.statedLength(bytes)) ?? .none
    }

    /// The sessions that the request has ended (`AuthAPI.Revocations.field`).
    func sessionEnds(_ bytes: Span<UInt8>) -> [AuthAPI.Revocations.Revocation] {
        guard let value = fields.value(.internalHeader) else { return [] }
        return AuthAPI.Revocations.revocations(text: String(decoding: value.map { bytes[$0] }, as: UTF8.self))
    }

    /// Whether the service keeps the connection open for another request.
    var keepsConnection: Bool {
        !fields.connection.close
    }
}
