import NIOCore
import TestKit
import Testing

@testable import Sockets

/// A frame as it is sent, valid or invalid.
struct Wire: Sendable, Equatable, CustomTestStringConvertible {
    var first: UInt8
    var payload: [UInt8]
    var isMasked = true

    static func text(_ text: String, isFinal: Bool = true) -> Wire { data(0x1, Array(text.utf8), isFinal: isFinal) }

    static func data(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true) -> Wire {
        Wire(first: (isFinal ? 0x80 : 0) | opcode, payload: payload)
    }

    static func ping(_ payload: [UInt8] = []) -> Wire { data(0x9, payload) }
    static func pong(_ payload: [UInt8] = []) -> Wire { data(0xA, payload) }

    static func close(_ code: UInt16? = nil, _ reason: [UInt8] = []) -> Wire {
        data(0x8, (code.map { [UInt8($0 >> 8), UInt8($0 & 0xff)] } ?? []) + reason)
    }

    static func more(_ payload: [UInt8] = [], isFinal: Bool = false) -> Wire { data(0x0, payload, isFinal: isFinal) }

    /// The bytes as a client sends them.
    var bytes: [UInt8] {
        var buffer = ByteBuffer()
        buffer.writeInteger(first)
        let bit: UInt8 = isMasked ? 0x80 : 0
        switch payload.count {
        case ...125: buffer.writeInteger(bit | UInt8(payload.count))
        case ...65_535: buffer.writeMultipleIntegers(bit | 126, UInt16(payload.count))
        default: buffer.writeMultipleIntegers(bit | 127, UInt64(payload.count))
        }
        guard isMasked else { return Array(buffer.readableBytesView) + payload }
        let key: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
        buffer.writeBytes(key)
        return Array(buffer.readableBytesView) + payload.enumerated().map { $1 ^ key[$0 & 3] }
    }

    var testDescription: String { "\(String(first, radix: 16)) \(payload.count) bytes" }

    static var handshake: String { handshake(at: SocketService.path) }

    static func handshake(at path: String) -> String { handshake(SocketService.identity(at: path), at: path) }

    /// The handshake of RFC 6455 §1.3.
    static func handshake(_ headers: [(String, String)], at path: String = SocketService.path) -> String {
        let fields = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        return """
            GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(fields)\r\n
            """
    }
}

extension RawConnection {
    /// The head of a response, as text.
    func readHead() async -> String? {
        await read { bytes in
            guard let end = bytes.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            return bytes.readString(length: end.upperBound - bytes.readerIndex)
        }
    }

    /// The server's next frame, which must not be masked; nil when the connection ends.
    func readFrame() async -> Wire? {
        await read { bytes in
            var copy = bytes
            let first: UInt8? = copy.getInteger(at: copy.readerIndex)
            guard let first, let header = try? FrameHeader(readingFrom: &copy),
                let payload = copy.readBytes(length: header.length)
            else { return nil }
            bytes = copy
            return Wire(first: first, payload: payload, isMasked: header.mask != nil)
        }
    }

    /// Opens a socket at a service.
    static func open(_ service: SocketService) async throws -> RawConnection {
        let connection = try await connect(to: service.port)
        try await connection.send(Wire.handshake)
        let head = try #require(await connection.readHead())
        #expect(head.hasPrefix("HTTP/1.1 101 "))
        return connection
    }
}
