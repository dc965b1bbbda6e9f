import NIOCore
import ServiceKit

extension EntityTag {
    /// Whether any `If-None-Match` field of a request names this one.
    func isNamed(by fields: HeaderFields, of bytes: ByteBuffer) -> Bool {
        guard fields.present.contains(.ifNoneMatch) else { return false }
        return fields.lines.contains { field in
            field.name == .ifNoneMatch && isNamed(by: bytes.text(in: field.value))
        }
    }
}

extension HeaderFields {
    /// Whether any `If-None-Match` field names a weak entity tag.
    func nameWeakTag(in bytes: Span<UInt8>) -> Bool {
        guard present.contains(.ifNoneMatch) else { return false }
        var isWeak = false
        for field in lines where field.name == .ifNoneMatch {
            bytes.forEachElement(of: field.value) { if bytes.spells("W/", in: $0.prefix(2)) { isWeak = true } }
        }
        return isWeak
    }
}

extension ByteBuffer {
    /// The text of a range of the readable bytes.
    fileprivate func text(in range: Range<Int>) -> String {
        getString(at: readerIndex + range.lowerBound, length: range.count) ?? ""
    }
}
