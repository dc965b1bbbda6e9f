import NIOCore
import Testing

@testable import Gateway

struct ProxyHeaderTests {
    private static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]

    private static func binary(_ command: UInt8, _ family: UInt8, _ rest: [UInt8]) -> [UInt8] {
        signature + [command, family, UInt8(rest.count >> 8), UInt8(rest.count & 255)] + rest
    }

    private static let v4: [UInt8] = [203, 0, 113, 7, 10, 0, 0, 1, 0x12, 0x67, 0, 80]
    private static let v6: [UInt8] =
        [0x20, 0x01, 0x0d, 0xb8] + Array(repeating: 0, count: 11) + [7] + Array(repeating: 0, count: 20)

    private static let valid: [(bytes: [UInt8], address: String?)] = [
        (Array("PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\r\n".utf8), "203.0.113.7"),
        (Array("PROXY TCP6 2001:db8::7 fd00::1 4711 80\r\n".utf8), "2001:db8::7"),
        (Array("PROXY UNKNOWN\r\n".utf8), nil), (Array("PROXY UNKNOWN ffff::1 ::1 1 2\r\n".utf8), nil),
        (binary(0x21, 0x11, v4), "203.0.113.7"), (binary(0x21, 0x21, v6), "2001:db8::7"),
        // Extensions follow the addresses.
        (binary(0x21, 0x11, v4 + [4, 0, 3, 1, 2, 3]), "203.0.113.7"),
        // A health check, and a family without addresses.
        (binary(0x20, 0x00, []), nil), (binary(0x20, 0x11, v4), nil), (binary(0x21, 0x31, [1, 2, 3]), nil),
    ]

    @Test func header_isTaken_whereverItIsCut() throws {
        for (bytes, address) in Self.valid {
            for count in 0..<bytes.count {
                var buffer = ByteBuffer(bytes: bytes[..<count])
                let header = try ProxyHeader.take(from: &buffer)
                #expect(header == nil)
                #expect(buffer.readableBytes == count)
            }
            var buffer = ByteBuffer(bytes: bytes + Array("GET".utf8))
            let header = try ProxyHeader.take(from: &buffer)
            #expect(header == ProxyHeader(address: address.flatMap { IPAddress($0) }))
            #expect(String(buffer: buffer) == "GET")
        }
    }

    @Test(arguments: [
        "GET / HTTP/1.1\r\n", "PROXX", "PROXY TCP4 203.0.113.7 10.0.0.1 4711\r\n",
        "PROXY TCP4 2001:db8::7 fd00::1 4711 80\r\n", "PROXY TCP6 203.0.113.7 10.0.0.1 4711 80\r\n",
        "PROXY TCP4 203.0.113.7 10.0.0.1 4711 80\n", "PROXY TCP4 203.0.113.777 10.0.0.1 4711 80\r\n",
        "PROXY TCP4 203.0.113.7 10.0.0.1 65536 80\r\n", "PROXY TCP4  203.0.113.7 10.0.0.1 4711 80\r\n",
        "PROXY UNKNOWN " + String(repeating: "a", count: 100), "PROXY\r\n",
    ])
    func otherText_isRefused(_ text: String) {
        var buffer = ByteBuffer(string: text)
        #expect(throws: ProxyHeader.Fault.self) { try ProxyHeader.take(from: &buffer) }
    }

    @Test func otherBytes_areRefused() {
        for bytes in [
            Self.binary(0x11, 0x11, Self.v4), Self.binary(0x22, 0x11, Self.v4), Self.binary(0x21, 0x11, [1, 2]),
            Self.binary(0x21, 0x21, Self.v4), Self.signature + [0x21, 0x11, 0xff, 0xff],
        ] {
            var buffer = ByteBuffer(bytes: bytes)
            #expect(throws: ProxyHeader.Fault.self) { try ProxyHeader.take(from: &buffer) }
        }
    }
}
