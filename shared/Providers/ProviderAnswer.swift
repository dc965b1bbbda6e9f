package import FoundationEssentials

/// What a provider answers.
package struct ProviderAnswer: Sendable {
    package var status: Int
    package var body: Data

    /// The body as a value; nil when it is something else.
    package func value<Value: Decodable>(_ type: Value.Type = Value.self) -> Value? {
        try? JSONDecoder().decode(Value.self, from: body)
    }

    /// The `error` of a refusal by RFC 6749 §5.2.
    package var error: String? { value(Refusal.self)?.error }

    private struct Refusal: Decodable {
        var error: String
    }
}
