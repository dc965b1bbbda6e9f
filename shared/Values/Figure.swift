/// Formatting of numbers in tables.
package enum Figure {
    /// Three significant digits below a thousand, whole numbers with thousands separators above: 0.0123, 1.52, 45.1,
    /// 104,512.
    package static func text(_ value: Double) -> String {
        guard value.isFinite else { return "–" }
        guard abs(value) < 1000 else { return grouped(Int(value.rounded())) }
        var digits = 2
        var magnitude = abs(value)
        while magnitude >= 10, digits > 0 {
            magnitude /= 10
            digits -= 1
        }
        while magnitude > 0, magnitude < 1, digits < 6 {
            magnitude *= 10
            digits += 1
        }
        return fixed(value, digits: digits)
    }

    private static func fixed(_ value: Double, digits: Int) -> String {
        let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
        let scaled = Int((abs(value) * Double(scale)).rounded())
        let sign = value < 0 ? "-" : ""
        guard digits > 0 else { return sign + String(scaled) }
        let fraction = String(scaled % scale)
        return "\(sign)\(scaled / scale).\(String(repeating: "0", count: digits - fraction.count))\(fraction)"
    }

    private static func grouped(_ value: Int) -> String {
        var text = ""
        for (index, digit) in String(abs(value)).reversed().enumerated() {
            if index > 0, index.isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return (value < 0 ? "-" : "") + String(text.reversed())
    }
}
