/// JSON text of flat objects, written without an encoder: refusals are small, and must not be able to fail.
package enum JSONText {
    /// An object with the members in the given order; nil becomes `null`.
    package static func object(_ members: [(name: String, value: String?)]) -> String {
        let texts = members.map { name, value in "\(string(name)):\(value.map(string) ?? "null")" }
        return "{\(texts.joined(separator: ","))}"
    }

    /// A string in quotes, escaped as RFC 8259 §7 demands.
    package static func string(_ value: String) -> String {
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
