import Contracts
import NIOCore
import TestKit
import Testing

@testable import Gateway

/// Copies of a service, whose WebSockets a test serves.
struct SocketCopies: Sendable {
    let upstreams: [TestUpstream]
    private let sockets: AsyncStream<ServedSocket>

    /// - Parameters:
    ///   - arrivals: The response to the handshake of a socket that comes from another copy; nil to accept it.
    ///   - isReady: Whether a copy says that it is ready.
    static func start(
        _ count: Int,
        arrivals: @escaping @Sendable (_ copy: Int) -> String? = { _ in nil },
        isReady: @escaping @Sendable (_ copy: Int) -> Bool = { _ in true }
    ) async throws -> SocketCopies {
        let (sockets, served) = AsyncStream<ServedSocket>.makeStream()
        var upstreams: [TestUpstream] = []
        for copy in 0..<count {
            let upstream = try await TestUpstream.playing { connection in
                while let request = await connection.readMessage() {
                    if request.start.hasPrefix("GET /readyz "), !isReady(copy) {
                        try await connection.send("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
                        continue
                    }
                    let comes = request.start == "GET \(SocketMove.path) HTTP/1.1"
                    if !comes, try await TestUpstream.answerHealth(request, on: connection) { continue }
                    if comes, let answer = arrivals(copy) { return try await connection.send(answer) }
                    let key = Array((request["sec-websocket-key"].first ?? "").utf8)
                    let accept = String(decoding: UpgradeRequest.accept(forKey: key), as: UTF8.self)
                    try await connection.send(
                        WebSocketText.switching.replacing(WebSocketText.accept, with: accept)
                    )
                    served.yield(ServedSocket(copy: copy, request: request, connection: connection))
                    return
                }
            }
            upstreams.append(upstream)
        }
        return SocketCopies(upstreams: upstreams, sockets: sockets)
    }

    private init(upstreams: [TestUpstream], sockets: AsyncStream<ServedSocket>) {
        self.upstreams = upstreams
        self.sockets = sockets
    }

    /// The next socket that a copy has accepted; nil when the test's time ends.
    func next() async -> ServedSocket? { await sockets.first { _ in true } }
}

/// A socket at a copy of a service.
struct ServedSocket: Sendable {
    let copy: Int
    let request: RawMessage
    let connection: RawConnection

    static let token: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    func send(_ frames: TestFrame...) async throws {
        try await connection.send(ByteBuffer(bytes: frames.flatMap(\.bytes)))
    }

    func read() async -> TestFrame? { await connection.readFrame() }

    /// Offers the socket, and waits for the gateway's answer.
    ///
    /// - Returns: The frames that came before the answer.
    func offer() async throws -> [TestFrame] {
        try await send(TestFrame(SocketMove.pause, Self.token))
        var before: [TestFrame] = []
        while let frame = await read() {
            if frame.opcode == SocketMove.pause { return frame.payload == Self.token ? before : [] }
            before.append(frame)
        }
        throw Ended()
    }

    struct Ended: Error {}
}

/// A frame of a WebSocket (RFC 6455 §5.2).
struct TestFrame: Sendable, Equatable, CustomTestStringConvertible {
    var opcode: UInt8
    var payload: [UInt8]
    var isFinal = true
    /// Whether it is one of a client. Not part of the comparison.
    var isMasked = false

    init(_ opcode: UInt8, _ payload: [UInt8] = [], isFinal: Bool = true, isMasked: Bool = false) {
        self.opcode = opcode
        self.payload = payload
        self.isFinal = isFinal
        self.isMasked = isMasked
    }

    static func text(_ text: String, isFinal: Bool = true) -> TestFrame {
        TestFrame(0x1, Array(text.utf8), isFinal: isFinal)
    }

    static func close(_ code: UInt16) -> TestFrame { TestFrame(0x8, [UInt8(code >> 8), UInt8(code & 0xff)]) }

    static func == (one: TestFrame, other: TestFrame) -> Bool {
        one.opcode == other.opcode && one.payload == other.payload && one.isFinal == other.isFinal
    }

    var testDescription: String { "opcode \(opcode), \(payload.count) bytes: \(payload.prefix(20))" }

    var masked: TestFrame { TestFrame(opcode, payload, isFinal: isFinal, isMasked: true) }

    var bytes: [UInt8] {
        let bit: UInt8 = isMasked ? 0x80 : 0
        var buffer = ByteBuffer(bytes: [(isFinal ? 0x80 : 0) | opcode])
        switch payload.count {
        case ...125: buffer.writeInteger(bit | UInt8(payload.count))
        case ...65_535: buffer.writeMultipleIntegers(bit | 126, UInt16(payload.count))
        default: buffer.writeMultipleIntegers(bit | 127, UInt64(payload.count))
        }
        let mask: [UInt8] = [9, 8, 7, 6]
        if isMasked { buffer.writeBytes(mask) }
        return Array(buffer: buffer) + payload.enumerated().map { isMasked ? $1 ^ mask[$0 & 3] : $1 }
    }
}

extension RawConnection {
    func send(_ frames: TestFrame...) async throws { try await send(ByteBuffer(bytes: frames.flatMap(\.bytes))) }

    /// The next frame, unmasked; nil when the connection ends.
    func readFrame() async -> TestFrame? {
        await read { bytes in
            var rest = bytes
            guard let first = rest.readInteger(as: UInt8.self), let second = rest.readInteger(as: UInt8.self) else {
                return nil
            }
            let length =
                switch second & 0x7f {
                case 126: rest.readInteger(as: UInt16.self).map(Int.init)
                case 127: rest.readInteger(as: UInt64.self).map { Int($0) }
                default: Int(second & 0x7f)
                }
            let mask = second & 0x80 == 0 ? [0, 0, 0, 0] : rest.readBytes(length: 4)
            guard let length, let mask, let payload = rest.readBytes(length: length) else { return nil }
            bytes = rest
            let plain = payload.enumerated().map { $1 ^ mask[$0 & 3] }
            return TestFrame(first & 0x0f, plain, isFinal: first & 0x80 != 0, isMasked: second & 0x80 != 0)
        }
    }
}
