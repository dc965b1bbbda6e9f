/// A sum of money in PortOne's format: whole in won and yen, with up to two decimals in other currencies.
struct PortOneAmount: Sendable, Hashable, Comparable {
    /// Hundredths of the currency's unit, so that sums are exact.
    let hundredths: Int64

    static let zero = PortOneAmount(hundredths: 0)

    private init(hundredths: Int64) {
        self.hundredths = hundredths
    }

    /// - Parameter number: In the currency's unit; nil for negative numbers, more than a trillion, or a third decimal.
    init?(_ number: Double) {
        let scaled = (number * 100).rounded()
        guard (0...1e14).contains(scaled), abs(number * 100 - scaled) < 0.001 else { return nil }
        hundredths = Int64(scaled)
    }

    /// - Parameter text: Digits, optionally with a decimal point.
    init?(_ text: String) {
        let isPlain = text.utf8.allSatisfy {
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: ".")
        }
        guard isPlain, let number = Double(text) else { return nil }
        self.init(number)
    }

    /// Whether the sum is valid in the currency.
    func fits(_ currency: String) -> Bool {
        !["KRW", "JPY"].contains(currency) || hundredths.isMultiple(of: 100)
    }

    /// The display format: `12,000원`, `10.50 USD`.
    func words(in currency: String) -> String {
        let whole = String(hundredths / 100)
        let head = whole.count % 3
        var groups = head > 0 ? [String(whole.prefix(head))] : []
        var tail = whole.dropFirst(head)
        while !tail.isEmpty {
            groups.append(String(tail.prefix(3)))
            tail = tail.dropFirst(3)
        }
        let cents = String(100 + hundredths % 100).dropFirst()
        let number = groups.joined(separator: ",") + (cents == "00" ? "" : ".\(cents)")
        return currency == "KRW" ? "\(number)원" : "\(number) \(currency)"
    }

    static func < (left: Self, right: Self) -> Bool { left.hundredths < right.hundredths }
    static func + (left: Self, right: Self) -> Self { Self(hundredths: left.hundredths + right.hundredths) }
    static func - (left: Self, right: Self) -> Self { Self(hundredths: left.hundredths - right.hundredths) }
}

extension PortOneAmount: Encodable {
    /// Encodes a number in the currency's unit, without a decimal point if it is whole.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if hundredths.isMultiple(of: 100) {
            try container.encode(hundredths / 100)
        } else {
            try container.encode(Double(hundredths) / 100)
        }
    }
}

extension PortOneAmount: CustomStringConvertible {
    var description: String {
        hundredths.isMultiple(of: 100) ? "\(hundredths / 100)" : "\(Double(hundredths) / 100)"
    }
}
