import Crypto

/// A WebSocket handshake that is valid to forward (RFC 6455 §4.2.1).
struct UpgradeRequest: Equatable {
    /// The value that the service must return in `Sec-WebSocket-Accept`.
    let accept: [UInt8]

    /// - Parameter accept: The value that the service must return in `Sec-WebSocket-Accept`.
    init(accept: [UInt8]) { self.accept = accept }

    /// Why a handshake is refused.
    enum Fault: Error, Equatable {
        case notAnUpgrade
        /// A version other than 13.
        case version
        /// A key that is not 16 bytes in base64, or a request with a body.
        case malformed
    }

    /// - Parameter bytes: The bytes of the request head.
    init(_ head: RequestHead, _ bytes: Span<UInt8>) throws(Fault) {
        let fields = head.fields
        guard head.method == .get, fields.connection.upgrade, let upgrade = fields.value(.upgrade),
            bytes.matches("websocket", in: upgrade)
        else { throw .notAnUpgrade }
        guard let version = fields.value(.webSocketVersion), bytes.spells("13", in: version) else { throw .version }
        guard head.body == .none, let key = fields.value(.webSocketKey), Self.isKey(key, in: bytes) else {
            throw .malformed
        }
        accept = Self.accept(forKey: key.map { bytes[$0] })
    }

    /// Whether a response accepts this handshake (RFC 6455 §4.1).
    func isAccepted(by answer: ResponseHead, _ bytes: Span<UInt8>) -> Bool {
        guard answer.fields.connection.upgrade, let upgrade = answer.fields.value(.upgrade),
            bytes.matches("websocket", in: upgrade), let accepted = answer.fields.value(.webSocketAccept)
        else { return false }
        return accepted.count == accept.count && accepted.allSatisfy { bytes[$0] == accept[$0 - accepted.lowerBound] }
    }

    /// Whether the value is 16 bytes in base64: 22 characters and `==`, with the four unused bits of the last character
    /// zero.
    private static func isKey(_ range: Range<Int>, in bytes: Span<UInt8>) -> Bool {
        guard range.count == 24, bytes.spells("==", in: (range.upperBound - 2)..<range.upperBound) else { return false }
        let last = bytes[range.upperBound - 3]
        return range.dropLast(2).allSatisfy { alphabet.contains(bytes[$0]) }
            && [UInt8(ascii: "A"), UInt8(ascii: "Q"), UInt8(ascii: "g"), UInt8(ascii: "w")].contains(last)
    }

    private static let guid = Array("258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    static func accept(forKey key: [UInt8]) -> [UInt8] {
        base64(Array(Insecure.SHA1.hash(data: key + guid)))
    }

    /// base64 with padding (RFC 4648 §4).
    static func base64(_ bytes: [UInt8]) -> [UInt8] {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32((3 - group.count) * 8)
            for place in 0..<4 {
                let digit = alphabet[Int(bits >> UInt32(18 - place * 6)) & 63]
                text.append(place > group.count ? UInt8(ascii: "=") : digit)
            }
        }
        return text
    }
}
