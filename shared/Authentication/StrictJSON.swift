/// Whether text is JSON that all readers understand in the same way. Readers differ in what they do with
/// duplicate names (RFC 8259 §4) and with text that is not JSON, so a token with either is ambiguous (RFC 7519 §4).
///
/// The text is accepted or refused before it is decoded; a value that is no JSON may still fail in the decoder.
enum StrictJSON {
    /// Whether text is UTF-8 without byte order mark, has each name of the outer object once, no comma before a closing bracket, and no
    /// control character in a string. Names with an escape count as duplicates, because they have another spelling.
    static func isStrict(_ bytes: [UInt8]) -> Bool {
        guard String(validating: bytes, as: UTF8.self) != nil else { return false }
        var names: Set<ArraySlice<UInt8>> = []
        var depth = 0
        var last: UInt8?
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth > 0 || last == nil else { return false }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0, last != UInt8(ascii: ",") else { return false }
                depth -= 1
            case UInt8(ascii: "\""):
                let start = index + 1
                guard let end = endOfString(bytes, from: start) else { return false }
                index = end
                if depth == 1, isName(bytes, endingAt: end) {
                    let name = bytes[start..<end]
                    guard !name.contains(UInt8(ascii: "\\")), names.insert(name).inserted else { return false }
                }
            default:
                guard (0x20..<0x7f).contains(byte) || blanks.contains(byte) else { return false }
            }
            if !blanks.contains(byte) { last = byte }
            index += 1
        }
        return depth == 0
    }

    /// The white space of RFC 8259 §2.
    private static let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n")]

    /// The index of the closing quotation mark of a string; nil if it has none, or a control character before it.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int? {
        var index = start
        while index < bytes.count, bytes[index] >= 0x20 {
            if bytes[index] == UInt8(ascii: "\"") { return index }
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return nil
    }

    private static func isName(_ bytes: [UInt8], endingAt end: Int) -> Bool {
        bytes.dropFirst(end + 1).first { !blanks.contains($0) } == UInt8(ascii: ":")
    }
}
