/// A Korean mobile number in With Suhyeon's format: `01`, one of 0, 1, 6 to 9, then eight digits.
struct PhoneNumber: Sendable, Equatable, Hashable {
    let text: String

    /// Returns nil for a text in another format.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 11, bytes.starts(with: "01".utf8), "016789".utf8.contains(bytes[2]),
            bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        self.text = text
    }

    /// As people write it: `010-1234-5678`.
    var hyphenated: String { "\(text.prefix(3))-\(text.dropFirst(3).prefix(4))-\(text.suffix(4))" }

    static let rule = "phoneNumber must have 11 digits: 01, one of 0, 1, 6, 7, 8 and 9, and eight more."
}
