import Authentication
import FoundationEssentials

/// A signed token in compact form, `HEADER.CLAIMS.SIGNATURE` (RFC 7515 §7.1), with an unverified signature.
struct CompactJWT {
    /// The signed bytes.
    let signed: ArraySlice<UInt8>
    let signature: [UInt8]
    private let parts: [ArraySlice<UInt8>]

    /// nil if the text does not have three parts.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]) else { return nil }
        self.signature = signature
        signed = bytes[..<(bytes.count - parts[2].count - 1)]
    }

    /// The decoded header; nil if it has another form.
    func header<Header: Decodable>(_ type: Header.Type = Header.self) -> Header? { decode(parts[0]) }

    /// The decoded claims; nil if they have another form.
    func claims<Claims: Decodable>(_ type: Claims.Type = Claims.self) -> Claims? { decode(parts[1]) }

    private func decode<Value: Decodable>(_ part: ArraySlice<UInt8>) -> Value? {
        Base64URL.decode(part).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
    }
}
