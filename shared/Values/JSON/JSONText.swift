/// Writes JSON without an encoder: for small texts that must not fail, and for texts that are written very often.
package enum JSONText {
    /// An object with the members in the given order; nil becomes `null`.
    package static func object(_ members: [(name: String, value: String?)]) -> String {
        object(texts: members.map { ($0, $1.map(string) ?? "null") })
    }

    /// An object with the members in the given order, their values being JSON; nil members are omitted.
    package static func object(texts members: [(name: String, json: String?)]) -> String {
        var text = ""
        for (name, json) in members {
            guard let json else { continue }
            text += text.isEmpty ? "{" : ","
            text += string(name)
            text += ":"
            text += json
        }
        return text.isEmpty ? "{}" : text + "}"
    }

    /// A quoted string, escaped according to RFC 8259 §7.
    package static func string(_ value: String) -> String {
        // Most strings need no escaping.
        guard value.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }) else {
            return "\"\(value)\""
        }
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
