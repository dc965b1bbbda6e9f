/// With Suhyeon's success response: `{errorCode: null, message: "SUCCESS", result}` (With Suhyeon contract 1.1).
package struct WithSuhyeonSuccess<Result: Encodable>: Encodable {
    private let result: Result?

    /// - Parameter result: The payload; nil for calls without one.
    package init(_ result: Result?) {
        self.result = result
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeNil(forKey: .errorCode)
        try container.encode("SUCCESS", forKey: .message)
        try container.encode(result, forKey: .result)
    }

    private enum CodingKeys: String, CodingKey {
        case errorCode, message, result
    }
}
