/// The boundary between the parts of a body (RFC 2046 §5.1.1).
package struct MultipartBoundary: Sendable, Equatable {
    /// The boundary without the leading `--`.
    let bytes: [UInt8]

    /// Finds the boundary in the values of a request's `Content-Type` fields. Some clients send the field twice, once
    /// without a boundary; the one with a boundary is used.
    ///
    /// - Throws: `MultipartError.notMultipart`, `.boundary`.
    package init(contentTypes: [String]) throws(MultipartError) {
        var found: Set<[UInt8]> = []
        var isMultipart = false
        for text in contentTypes.flatMap(Self.values) {
            guard let type = HeaderParameters(text.utf8) else {
                if text.lowercased().hasPrefix("multipart/form-data") { throw .boundary }
                continue
            }
            guard type.value == "multipart/form-data" else { continue }
            isMultipart = true
            if let boundary = type.parameters["boundary"] { found.insert(boundary) }
        }
        guard isMultipart else { throw .notMultipart }
        guard found.count == 1, let boundary = found.first, Self.isPossible(boundary) else { throw .boundary }
        bytes = boundary
    }

    private static func isPossible(_ boundary: [UInt8]) -> Bool {
        (1...70).contains(boundary.count) && boundary.last != UInt8(ascii: " ")
            && boundary.allSatisfy { (0x20..<0x7f).contains($0) }
    }

    /// The values of a field that was joined from several, split at the commas that are not in quotes (RFC 9110 §5.3).
    private static func values(_ text: String) -> [String] {
        var values = [""]
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if character == ",", !isQuoted {
                values.append("")
            } else if character != " " || !values[values.count - 1].isEmpty {
                values[values.count - 1].append(character)
            }
        }
        return values
    }
}
