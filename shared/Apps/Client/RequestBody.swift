/// The body of a request: an object written as a literal, or any bytes.
package struct RequestBody: Sendable {
    package let contentType: String
    package let bytes: [UInt8]

    package init(_ bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
    }

    /// Text that is sent as JSON, though it may be none.
    package static func text(_ text: String) -> RequestBody {
        RequestBody(Array(text.utf8), contentType: "application/json")
    }

    package static func json(_ value: JSON) -> RequestBody { .text(value.description) }

    /// The body as text; empty if it is not JSON.
    package var text: String { contentType == "application/json" ? String(decoding: bytes, as: UTF8.self) : "" }
}

extension RequestBody: ExpressibleByDictionaryLiteral, ExpressibleByStringLiteral {
    /// Text that is sent as JSON, though it may be none.
    package init(stringLiteral text: String) { self = .text(text) }

    package init(dictionaryLiteral members: (String, JSON)...) {
        self = .json(.object(Dictionary(members) { $1 }))
    }
}
