import Crypto
package import NIOCore

/// The entity tag of a response (RFC 9110 §8.8.3): a hash of its content.
package struct EntityTag: Sendable, Equatable {
    /// With its quotes.
    private let hash: String
    /// Whether the content is sent in a form that is equivalent to what was hashed, and not the same bytes.
    package var isWeak = false

    package init(of content: ByteBuffer) {
        let hash = SHA256.hash(data: content.readableBytesView).prefix(12)
        self.hash = "\"\(hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())\""
    }

    /// The value of the field.
    package var text: String { isWeak ? "W/\(hash)" : hash }

    /// Whether the value of an `If-None-Match` field, a list of entity tags or `*`, names this one by weak comparison
    /// (RFC 9110 §13.1.2).
    package func isNamed(by list: some StringProtocol) -> Bool {
        list.split(separator: ",").contains { item in
            let tag = item.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == hash
        }
    }
}
