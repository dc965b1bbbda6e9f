import FoundationEssentials
package import NIOHTTP1

/// The response to a client's request.
package struct ClientResponse: Sendable {
    /// `GET /stations/1`, for errors.
    package let call: String
    package let status: Int
    package let headers: HTTPHeaders
    package let bytes: [UInt8]

    /// The body as text.
    package var body: String { String(decoding: bytes, as: UTF8.self) }

    /// The first header of a name.
    package func header(_ name: String) -> String? { headers.first(name: name) }

    /// - Throws: `ClientError` if the status is another one.
    @discardableResult
    package func expect(_ expected: Int = 200) throws -> ClientResponse {
        guard status == expected else {
            let sentence = "\(call) returned \(status) instead of \(expected): \(body)"
            throw ClientError(sentence, retryAfter: status == 503 ? header("Retry-After").flatMap(Int.init) : nil)
        }
        return self
    }

    /// The body as JSON; null if it is empty.
    ///
    /// - Throws: `ClientError` if the status is another one, or if the body is not JSON.
    @discardableResult
    package func json(_ expected: Int = 200) throws -> JSON {
        try expect(expected)
        guard !bytes.isEmpty else { return .null }
        guard let value = JSON(parsing: bytes) else { throw ClientError("\(call) returned what is not JSON: \(body)") }
        return value
    }

    /// The body as a value, with any status.
    package func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(bytes))
    }
}
