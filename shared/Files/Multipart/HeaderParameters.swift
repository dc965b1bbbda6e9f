/// A header value with parameters: `form-data; name="profile"; filename="a \"b\".jpg"` (RFC 2045 §5.1).
///
/// In quotes, only `\"` and `\\` are unescaped, because some clients send Windows paths.
struct HeaderParameters: Equatable {
    /// In lower case: `form-data`, `multipart/form-data`.
    private(set) var value: String
    /// The parameters by name, in lower case.
    private(set) var parameters: [String: [UInt8]] = [:]

    /// nil if the value is malformed or repeats a parameter.
    init?(_ bytes: some Sequence<UInt8>) {
        var scanner = Scanner(Array(bytes))
        value = String(decoding: scanner.take { $0 != .semicolon }, as: UTF8.self).lowercased()
        while value.last == " " || value.last == "\t" { value.removeLast() }
        while scanner.skip(.semicolon) {
            scanner.skipSpace()
            if scanner.isAtEnd { break }
            let name = scanner.take(while: Self.isToken)
            scanner.skipSpace()
            guard !name.isEmpty, scanner.skip(.equals) else { return nil }
            scanner.skipSpace()
            guard let text = scanner.quoted() ?? scanner.token() else { return nil }
            scanner.skipSpace()
            let key = String(decoding: name, as: UTF8.self).lowercased()
            guard parameters.updateValue(text, forKey: key) == nil else { return nil }
        }
        guard scanner.isAtEnd else { return nil }
    }

    /// The characters of a token (RFC 9110 §5.6.2).
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: signs.contains(byte)
        }
    }

    private static let signs = Set("!#$%&'*+-.^_`|~".utf8)

    private struct Scanner {
        private let bytes: [UInt8]
        private var index: Int

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            index = 0
            skipSpace()
        }

        var isAtEnd: Bool { index == bytes.count }

        mutating func take(while matches: (UInt8) -> Bool) -> ArraySlice<UInt8> {
            let start = index
            while index < bytes.count, matches(bytes[index]) { index += 1 }
            return bytes[start..<index]
        }

        mutating func skip(_ byte: UInt8) -> Bool {
            guard index < bytes.count, bytes[index] == byte else { return false }
            index += 1
            return true
        }

        mutating func skipSpace() {
            _ = take { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        }

        /// A quoted string; nil if there is none at this position, or it is unterminated.
        mutating func quoted() -> [UInt8]? {
            guard skip(.quote) else { return nil }
            var text: [UInt8] = []
            while index < bytes.count {
                let byte = bytes[index]
                index += 1
                if byte == .quote { return text }
                if byte == .backslash, index < bytes.count, bytes[index] == .quote || bytes[index] == .backslash {
                    text.append(bytes[index])
                    index += 1
                } else {
                    text.append(byte)
                }
            }
            return nil
        }

        /// An unquoted value; lenient, for clients that omit the quotes.
        mutating func token() -> [UInt8]? {
            var text = Array(take { $0 != .semicolon && $0 != .quote })
            while text.last == UInt8(ascii: " ") || text.last == UInt8(ascii: "\t") { text.removeLast() }
            return text.isEmpty ? nil : text
        }
    }
}

extension UInt8 {
    static let semicolon = UInt8(ascii: ";")
    static let equals = UInt8(ascii: "=")
    static let quote = UInt8(ascii: "\"")
    static let backslash = UInt8(ascii: "\\")
}
