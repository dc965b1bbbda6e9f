import AppClients
import TestKit
import Testing

extension ClientResponse {
    /// Requires a status, and a body of a shape.
    @discardableResult
    func shaped(
        _ shape: JSONShape,
        _ status: Int = 200,
        at location: SourceLocation = #_sourceLocation
    ) throws -> JSON {
        #expect(self.status == status, "\(call): \(body)", sourceLocation: location)
        let value = try value(JSON.self)
        #expect(shape.faults(in: value) == [], "\(call): \(body)", sourceLocation: location)
        return value
    }

    /// Requires an error response.
    @discardableResult
    func refused(_ status: Int, at location: SourceLocation = #_sourceLocation) throws -> JSON {
        try shaped(.refusal, status, at: location)
    }

    /// Requires a status, and an empty body.
    func empty(_ status: Int = 200, at location: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, "\(call): \(body)", sourceLocation: location)
        #expect(body == "", "\(call)", sourceLocation: location)
    }
}

extension RequestBody {
    static func form(_ form: MultipartForm) -> RequestBody {
        RequestBody(form.bytes, contentType: MultipartForm.contentType)
    }
}

extension JSON {
    /// A member of a page's elements, each a text.
    func texts(_ name: String) -> [String] { self["data"]?.elements.compactMap { $0[name]?.string } ?? [] }
}

extension String {
    /// Percent-encoded for a query or a path, byte for byte.
    var encoded: String { utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}
