import Crypto
import NIOCore

/// The entity tag of a response that the gateway generates (RFC 9110 §8.8.3): a hash of its content.
struct EntityTag: Sendable, Equatable {
    /// With its quotes.
    let text: String

    init(of content: ByteBuffer) {
        let hash = SHA256.hash(data: content.readableBytesView).prefix(12)
        text = "\"\(hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())\""
    }

    /// Whether a list of entity tags, or `*`, names this one by weak comparison (RFC 9110 §13.1.2).
    func isNamed(by list: Substring) -> Bool {
        list.split(separator: ",").contains { item in
            let tag = item.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
            return tag == "*" || (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag) == text
        }
    }

    /// Whether any `If-None-Match` field of a request names this one.
    func isNamed(by fields: HeaderFields, of bytes: ByteBuffer) -> Bool {
        guard fields.present.contains(.ifNoneMatch) else { return false }
        return fields.lines.contains { field in
            field.name == .ifNoneMatch
                && isNamed(by: Substring(bytes.text(in: field.value)))
        }
    }
}

extension ByteBuffer {
    /// The text of a range of the readable bytes.
    fileprivate func text(in range: Range<Int>) -> String {
        getString(at: readerIndex + range.lowerBound, length: range.count) ?? ""
    }
}
