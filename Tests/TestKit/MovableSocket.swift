package import Authentication
package import Contracts
import NIOCore

/// A phone's WebSocket as the gateway holds it at a service: it moves to another copy when the one that has it ends.
package struct MovableSocket: Sendable {
    package struct Frame: Sendable, Equatable {
        /// RFC 6455 §5.2.
        package var opcode: UInt8
        package var payload: [UInt8]

        package init(opcode: UInt8, payload: [UInt8]) {
            self.opcode = opcode
            self.payload = payload
        }

        package var text: String { String(decoding: payload, as: UTF8.self) }
    }

    package let connection: RawConnection
    private let service: ServiceName

    /// Opens a socket by a phone's handshake.
    ///
    /// - Parameter path: The path with its query.
    package static func open(
        at port: Int,
        of service: ServiceName,
        _ path: String,
        as identity: InternalIdentity,
        headers: [(String, String)] = []
    ) async throws -> MovableSocket {
        let fields = [(InternalIdentity.header, identity.signed("GET", path, to: service)), (SocketMove.field, "1")]
        return try await shake(at: port, of: service, path, fields + headers)
    }

    private static func shake(
        at port: Int,
        of service: ServiceName,
        _ path: String,
        _ headers: [(String, String)]
    ) async throws -> MovableSocket {
        let connection = try await RawConnection.connect(to: port)
        let fields = headers.map { "\($0.0): \($0.1)\r\n" }.joined()
        try await connection.send(
            """
            GET \(path) HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\(fields)\r\n
            """
        )
        let head = await connection.read { bytes -> String? in
            guard let end = bytes.readableBytesView.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            return bytes.readString(length: end.upperBound - bytes.readerIndex)
        }
        guard head?.hasPrefix("HTTP/1.1 101 ") == true else { throw Refused(head: head) }
        return MovableSocket(connection: connection, service: service)
    }

    // MARK: Frames

    package func send(_ text: String) async throws { try await send(Frame(opcode: 1, payload: Array(text.utf8))) }

    /// Sends a masked frame.
    package func send(_ frame: Frame) async throws {
        let key: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]
        var bytes = ByteBuffer(bytes: [0x80 | frame.opcode])
        switch frame.payload.count {
        case ...125: bytes.writeInteger(0x80 | UInt8(frame.payload.count))
        case ...65_535: bytes.writeMultipleIntegers(UInt8(0x80 | 126), UInt16(frame.payload.count))
        default: bytes.writeMultipleIntegers(UInt8(0x80 | 127), UInt64(frame.payload.count))
        }
        bytes.writeBytes(key + frame.payload.enumerated().map { $1 ^ key[$0 & 3] })
        try await connection.send(bytes)
    }

    /// The next frame; nil when the connection or the test's time ends.
    package func read() async -> Frame? {
        await connection.read { bytes in
            var rest = bytes
            guard let first = rest.readInteger(as: UInt8.self), let short = rest.readInteger(as: UInt8.self) else {
                return nil
            }
            let length =
                switch short {
                case 126: rest.readInteger(as: UInt16.self).map(Int.init)
                case 127: rest.readInteger(as: UInt64.self).map { Int($0) }
                default: Int(short)
                }
            guard let length, let payload = rest.readBytes(length: length) else { return nil }
            bytes = rest
            return Frame(opcode: first & 0x0f, payload: payload)
        }
    }

    // MARK: Moving

    /// Takes the socket from a copy that ends.
    ///
    /// - Returns: What the copy sent before the state, and the state's frame.
    package func leave() async throws -> (before: [Frame], state: Frame) {
        var before: [Frame] = []
        while let frame = await read() {
            switch frame.opcode {
            case SocketMove.pause: try await send(frame)
            case SocketMove.state: return (before, frame)
            default: before.append(frame)
            }
        }
        throw Ended(frames: before)
    }

    /// Gives a state to another copy.
    ///
    /// - Returns: The socket there, which is confirmed.
    package func arrive(at port: Int, with state: Frame) async throws -> MovableSocket {
        let identity = InternalIdentity(caller: .gateway).signed("GET", SocketMove.path, to: service)
        let fields = [(InternalIdentity.header, identity)]
        let arrived = try await Self.shake(at: port, of: service, SocketMove.path, fields)
        try await arrived.send(state)
        let answer = await arrived.read()
        guard answer == Frame(opcode: SocketMove.state, payload: []) else {
            throw Ended(frames: [answer].compactMap(\.self))
        }
        return arrived
    }

    package struct Refused: Error { let head: String? }

    /// The copy closed the socket.
    package struct Ended: Error {
        package let frames: [Frame]
    }
}
