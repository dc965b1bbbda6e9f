import Contracts
import NIOCore

/// The location of each app's access token: `Authorization: Bearer …`. The two apps with a key send it without a
/// scheme; for them the scheme is optional.
enum AuthorizationField {
    private static let scheme: StaticString = "bearer"

    /// The token of a request, or nil if there is none in the app's form.
    static func token(_ fields: HeaderFields, of bytes: ByteBuffer, for app: App) -> ByteBuffer? {
        guard let value = fields.value(.authorization) else { return nil }
        let range = token(in: value, bytes.readableBytesUInt8Span, mayBeBare: app.hasKey)
        guard let range, !range.isEmpty else { return nil }
        return bytes.getSlice(at: bytes.readerIndex + range.lowerBound, length: range.count)
    }

    /// Whether the request carries no token in any form.
    static func isEmpty(_ fields: HeaderFields, of bytes: ByteBuffer) -> Bool {
        guard let value = fields.value(.authorization), !value.isEmpty else { return true }
        return value.count == scheme.utf8CodeUnitCount && bytes.readableBytesUInt8Span.matches(scheme, in: value)
    }

    private static func token(in value: Range<Int>, _ bytes: Span<UInt8>, mayBeBare: Bool) -> Range<Int>? {
        let length = scheme.utf8CodeUnitCount
        let end = value.lowerBound + length
        if value.count > length, bytes[end] == .space, bytes.matches(scheme, in: value.lowerBound..<end) {
            return bytes.trimmed(end..<value.upperBound)
        }
        return mayBeBare ? value : nil
    }
}
