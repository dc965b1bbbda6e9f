package import FoundationEssentials

/// A response of a provider.
package struct ProviderAnswer: Sendable {
    package var status: Int
    package var body: Data

    /// The decoded body; nil if it cannot be decoded.
    package func value<Value: Decodable>(_ type: Value.Type = Value.self) -> Value? {
        try? JSONDecoder().decode(Value.self, from: body)
    }

    /// The `error` of an error response by RFC 6749 §5.2.
    package var error: String? { value(Refusal.self)?.error }

    private struct Refusal: Decodable {
        var error: String
    }
}
