import Authentication

/// Tokens and codes as outside systems make them: opaque and unguessable.
enum RandomToken {
    static func make(prefix: String = "") -> String {
        prefix + Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }
}
