import Postgres

/// PortOne's id of a payment (Anlaka contract 6.1): 1 to 64 letters, digits, `_` and `-`, so that it can be part of a path.
struct ImpUID: RawRepresentable, Hashable, Sendable, PostgresCodable, CustomStringConvertible {
    let rawValue: String

    var description: String { rawValue }

    /// - Returns: nil for a text that cannot be an id.
    init?(rawValue: String) {
        guard (1...64).contains(rawValue.utf8.count), rawValue.utf8.allSatisfy(Self.isAllowed) else { return nil }
        self.rawValue = rawValue
    }

    /// - Throws: `PaymentsError.paymentUnknown` for a text that cannot be an id.
    init(parsing text: String) throws(PaymentsError) {
        guard let id = ImpUID(rawValue: text) else { throw .paymentUnknown }
        self = id
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
