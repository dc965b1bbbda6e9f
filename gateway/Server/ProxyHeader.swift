import NIOCore

/// The header of the PROXY protocol, versions 1 and 2 (haproxy.org, proxy-protocol.txt).
struct ProxyHeader: Equatable {
    /// The client's address; nil if the proxy speaks for itself, as in its health checks, or does not know it.
    var address: IPAddress?

    enum Fault: Error { case malformed }

    private static let signature: [UInt8] = [
        0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a,
    ]
    /// The maximum size of a header of version 1 with its line end.
    private static let lineLimit = 107
    /// The maximum size of what follows the first 16 bytes of version 2: addresses and extensions.
    private static let restLimit = 2048

    /// Takes a header from the beginning of a buffer.
    ///
    /// - Returns: nil if it is not complete.
    static func take(from buffer: inout ByteBuffer) throws(Fault) -> ProxyHeader? {
        let bytes = buffer.readableBytesView
        guard let first = bytes.first else { return nil }
        if first == UInt8(ascii: "P") { return try takeLine(from: &buffer) }
        guard bytes.starts(with: signature.prefix(bytes.count)) else { throw .malformed }
        return bytes.count < 16 ? nil : try takeBinary(from: &buffer)
    }

    // MARK: Version 1

    private static func takeLine(from buffer: inout ByteBuffer) throws(Fault) -> ProxyHeader? {
        let bytes = buffer.readableBytesView.prefix(lineLimit)
        guard bytes.starts(with: Array("PROXY ".utf8).prefix(bytes.count)) else { throw .malformed }
        guard let end = bytes.firstIndex(of: .lineFeed) else {
            guard bytes.count < lineLimit else { throw .malformed }
            return nil
        }
        let line = bytes[..<end]
        guard line.last == .carriageReturn else { throw .malformed }
        let words = String(decoding: line.dropLast(), as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false)
        buffer.moveReaderIndex(forwardBy: line.count + 1)
        if words.count >= 2, words[1] == "UNKNOWN" { return ProxyHeader() }
        guard words.count == 6, UInt16(words[4]) != nil, UInt16(words[5]) != nil, IPAddress(words[3]) != nil,
            let address = IPAddress(words[2]), words[1] == (words[2].contains(":") ? "TCP6" : "TCP4")
        else { throw .malformed }
        return ProxyHeader(address: address)
    }

    // MARK: Version 2

    private static func takeBinary(from buffer: inout ByteBuffer) throws(Fault) -> ProxyHeader? {
        let start = buffer.readerIndex
        guard let command: UInt8 = buffer.getInteger(at: start + 12),
            let family: UInt8 = buffer.getInteger(at: start + 13),
            let length: UInt16 = buffer.getInteger(at: start + 14)
        else { return nil }
        guard command == 0x20 || command == 0x21, length <= restLimit else { throw .malformed }
        guard buffer.readableBytes >= 16 + Int(length) else { return nil }
        buffer.moveReaderIndex(forwardBy: 16)
        guard var rest = buffer.readSlice(length: Int(length)) else { return nil }
        guard command == 0x21 else { return ProxyHeader() }
        switch family >> 4 {
        case 1:
            guard length >= 12, let address: UInt32 = rest.readInteger() else { throw .malformed }
            return ProxyHeader(address: IPAddress(v4: address))
        case 2:
            guard length >= 36, let high: UInt64 = rest.readInteger(), let low: UInt64 = rest.readInteger() else {
                throw .malformed
            }
            return ProxyHeader(address: IPAddress(bits: UInt128(high) << 64 | UInt128(low)))
        default: return ProxyHeader()
        }
    }
}
