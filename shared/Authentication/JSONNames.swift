/// Finds duplicate names in a JSON object. Readers differ in which of the two they use (RFC 8259 §4), so a token with
/// duplicates is ambiguous (RFC 7519 §4).
enum JSONNames {
    /// Whether every name of an object occurs once. The result is undefined for text that is not a JSON object; names
    /// with an escape count as duplicates, because they have another spelling.
    static func areUnique(inObject bytes: [UInt8]) -> Bool {
        var names: Set<ArraySlice<UInt8>> = []
        var depth = 0
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            case UInt8(ascii: "\""):
                let start = index + 1
                index = endOfString(bytes, from: start)
                guard depth == 1, isName(bytes, endingAt: index) else { break }
                let name = bytes[start..<min(index, bytes.count)]
                guard !name.contains(UInt8(ascii: "\\")), names.insert(name).inserted else { return false }
            default: break
            }
            index += 1
        }
        return true
    }

    /// The index of the closing quotation mark of a string.
    private static func endOfString(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return index
    }

    private static func isName(_ bytes: [UInt8], endingAt end: Int) -> Bool {
        let blanks = [UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n")]
        return bytes.dropFirst(end + 1).first { !blanks.contains($0) } == UInt8(ascii: ":")
    }
}
