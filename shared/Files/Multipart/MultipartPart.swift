/// The headers of a part (RFC 7578 §4.2).
package struct MultipartPart: Sendable, Equatable {
    package var name: String
    /// The last component of the path that the client sent; nil for a part that is not a file. For display only.
    package var filename: String?
    /// The client's content type, in lower case and without parameters; not trustworthy.
    package var contentType: String?

    package init(name: String, filename: String? = nil, contentType: String? = nil) {
        self.name = name
        self.filename = filename
        self.contentType = contentType
    }

    /// - Parameter block: The header lines, each ended by CRLF.
    init(headers block: [UInt8]) throws(MultipartError) {
        var disposition: HeaderParameters?
        for (name, value) in try Self.lines(of: block) {
            switch name {
            case "content-disposition":
                guard disposition == nil else { throw .duplicateHeader("Content-Disposition") }
                guard let parsed = HeaderParameters(value) else { throw .header }
                disposition = parsed
            case "content-type":
                guard contentType == nil else { throw .duplicateHeader("Content-Type") }
                guard let parsed = HeaderParameters(value) else { throw .header }
                contentType = parsed.value
            case "content-transfer-encoding":
                let encoding = String(decoding: value, as: UTF8.self).lowercased()
                guard ["binary", "8bit", "7bit"].contains(encoding) else { throw .transferEncoding }
            default: continue
            }
        }
        guard let disposition, disposition.value == "form-data", let name = disposition.parameters["name"] else {
            throw .nameMissing
        }
        guard let text = Self.text(name) else { throw .nameUnreadable }
        guard !text.isEmpty else { throw .nameMissing }
        self.name = text
        filename = try Self.filename(disposition)
    }

    private static func lines(of block: [UInt8]) throws(MultipartError) -> [(name: String, value: ArraySlice<UInt8>)] {
        var lines: [(String, ArraySlice<UInt8>)] = []
        var start = block.startIndex
        while start < block.endIndex {
            guard let end = block[start...].firstIndex(of: .carriageReturn), end + 1 < block.endIndex,
                block[end + 1] == .lineFeed
            else { throw .header }
            let line = block[start..<end]
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > start,
                line[..<colon].allSatisfy(HeaderParameters.isToken),
                line.allSatisfy({ $0 >= 0x20 && $0 != 0x7f || $0 == UInt8(ascii: "\t") })
            else { throw .header }
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            lines.append((String(decoding: line[..<colon], as: UTF8.self).lowercased(), value))
            start = end + 2
        }
        return lines
    }

    private static func filename(_ disposition: HeaderParameters) throws(MultipartError) -> String? {
        let text: String
        if let extended = disposition.parameters["filename*"] {
            guard let decoded = ExtendedValue.decode(extended) else { throw .nameUnreadable }
            text = decoded
        } else if let plain = disposition.parameters["filename"] {
            guard let decoded = Self.text(plain) else { throw .nameUnreadable }
            text = decoded
        } else {
            return nil
        }
        let scalars = text.unicodeScalars
        let separator = scalars.lastIndex { $0 == "/" || $0 == "\\" }
        return String(scalars[(separator.map(scalars.index(after:)) ?? scalars.startIndex)...])
    }

    /// Decodes a name as browsers encode it: UTF-8, with quotes and line ends as `%22`, `%0D`, `%0A` (RFC 7578 §4.2,
    /// HTML).
    private static func text(_ bytes: [UInt8]) -> String? {
        guard var text = String(validating: bytes, as: UTF8.self) else { return nil }
        for (code, character) in [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")] where text.contains(code) {
            text = text.replacing(code, with: character)
        }
        return text
    }
}

/// A parameter in the notation `UTF-8'ko'%ED%95%9C` (RFC 8187 §3.2).
enum ExtendedValue {
    static func decode(_ bytes: [UInt8]) -> String? {
        let fields = bytes.split(separator: UInt8(ascii: "'"), maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3, let decoded = percentDecoded(fields[2]) else { return nil }
        switch String(decoding: fields[0], as: UTF8.self).lowercased() {
        case "utf-8": return String(validating: decoded, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(decoded.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }

    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                decoded.append(byte)
                continue
            }
            guard rest.count >= 2, rest.prefix(2).allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            else { return nil }
            decoded.append(value)
            rest = rest.dropFirst(2)
        }
        return decoded
    }
}

extension UInt8 {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
}
