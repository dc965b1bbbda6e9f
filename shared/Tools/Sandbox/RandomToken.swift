import Authentication

/// Opaque random tokens and codes in the style of external systems.
enum RandomToken {
    static func make(prefix: String = "") -> String {
        prefix + Base64URL.encode((0..<32).map { _ in UInt8.random(in: .min ... .max) })
    }
}
