import NIOCore
import NIOHPACK
import Synchronization
import TestKit

/// An HTTP/2 client that writes its frames byte by byte, so that it can also write what no client should (RFC 9113 §4).
final class HTTP2Client: Sendable {
    struct Frame: Sendable {
        var kind: Kind
        var flags: UInt8 = 0
        var stream: UInt32 = 0
        var payload = ByteBuffer()

        static let endStream: UInt8 = 1
        static let acknowledges: UInt8 = 1
        static let endHeaders: UInt8 = 4
    }

    enum Kind: UInt8 {
        case data, headers, priority, reset, settings, pushPromise, ping, goAway, windowUpdate, continuation
    }

    /// What a stream was answered.
    struct Answer: Sendable, Equatable {
        var fields: [String: String] = [:]
        var content = ByteBuffer()
        var isEnded = false
        /// The error code of a RST_STREAM frame (RFC 9113 §7).
        var reset: UInt32?

        /// The content as text.
        var body: String { String(buffer: content) }
        var status: Int? { fields[":status"].flatMap(Int.init) }
    }

    let connection: RawConnection
    private let encoder = Mutex(HPACKEncoder(allocator: ByteBufferAllocator()))
    private let decoder = Mutex(HPACKDecoder(allocator: ByteBufferAllocator(), maxDynamicTableSize: 4096))

    static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    private init(_ connection: RawConnection) {
        self.connection = connection
    }

    /// Connects by TLS, and exchanges the prefaces and SETTINGS.
    static func connect(to port: Int) async throws -> HTTP2Client {
        let client = HTTP2Client(try await TLSClient.connect(to: port, protocols: ["h2"]))
        try await client.connection.send(preface)
        try await client.send(Frame(kind: .settings), Frame(kind: .settings, flags: Frame.acknowledges))
        // What it offers may be used from now on.
        _ = await client.next()
        return client
    }

    // MARK: Sending

    func send(_ frames: Frame...) async throws { try await send(frames) }

    func send(_ frames: [Frame]) async throws {
        var bytes = ByteBuffer()
        for frame in frames {
            let size = UInt32(frame.payload.readableBytes)
            bytes.writeMultipleIntegers(UInt8(size >> 16), UInt16(size & 0xffff))
            bytes.writeMultipleIntegers(frame.kind.rawValue, frame.flags, frame.stream)
            bytes.writeImmutableBuffer(frame.payload)
        }
        try await connection.send(bytes)
    }

    /// HEADERS with the pseudo-header fields of a request.
    func headers(
        _ path: String,
        method: String = "GET",
        stream: UInt32,
        _ fields: [(String, String)] = [],
        ends: Bool = true
    ) throws -> Frame {
        let pseudo = [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)]
        return try block(pseudo + fields, stream: stream, ends: ends)
    }

    func block(_ fields: [(String, String)], stream: UInt32, ends: Bool = true) throws -> Frame {
        var payload = ByteBuffer()
        try encoder.withLock { try $0.encode(headers: HPACKHeaders(fields), to: &payload) }
        let flags = Frame.endHeaders | (ends ? Frame.endStream : 0)
        return Frame(kind: .headers, flags: flags, stream: stream, payload: payload)
    }

    func data(_ text: String, stream: UInt32, ends: Bool = false) -> Frame {
        let flags = ends ? Frame.endStream : 0
        return Frame(kind: .data, flags: flags, stream: stream, payload: ByteBuffer(string: text))
    }

    func windowUpdate(_ increment: UInt32, stream: UInt32) -> Frame {
        Frame(kind: .windowUpdate, stream: stream, payload: ByteBuffer(integer: increment))
    }

    // MARK: Receiving

    /// The next frame; nil at the end of the connection.
    func next() async -> Frame? {
        await connection.read { bytes in
            var rest = bytes
            guard let high = rest.readInteger(as: UInt8.self), let low = rest.readInteger(as: UInt16.self),
                let kind = rest.readInteger(as: UInt8.self), let flags = rest.readInteger(as: UInt8.self),
                let stream = rest.readInteger(as: UInt32.self),
                let payload = rest.readSlice(length: Int(high) << 16 | Int(low))
            else { return nil }
            bytes = rest
            return Frame(kind: Kind(rawValue: kind) ?? .priority, flags: flags, stream: stream, payload: payload)
        }
    }

    /// Reads until streams are answered or reset, gives windows back, and acknowledges settings. What was received is read
    /// also when nothing can be sent any more.
    ///
    /// - Parameter isDone: Called after each frame; by default all streams must have ended.
    /// - Returns: The answers by stream; fewer at the end of the connection.
    func answers(
        _ streams: [UInt32],
        until isDone: ([UInt32: Answer]) -> Bool = { $0.values.allSatisfy { $0.isEnded || $0.reset != nil } }
    ) async throws -> [UInt32: Answer] {
        var answers = Dictionary(uniqueKeysWithValues: streams.map { ($0, Answer()) })
        while !isDone(answers), let frame = await next() {
            var payload = frame.payload
            switch frame.kind {
            case .headers:
                let fields = try decoder.withLock { try $0.decodeHeaders(from: &payload) }
                for (name, value, _) in fields { answers[frame.stream]?.fields[name] = value }
            case .data:
                let size = UInt32(payload.readableBytes)
                answers[frame.stream]?.content.writeImmutableBuffer(payload)
                if size > 0 { try? await send(windowUpdate(size, stream: 0), windowUpdate(size, stream: frame.stream)) }
            case .reset: answers[frame.stream]?.reset = payload.readInteger()
            case .settings where frame.flags & Frame.acknowledges == 0:
                try? await send(Frame(kind: .settings, flags: Frame.acknowledges))
            case .ping where frame.flags & Frame.acknowledges == 0:
                try? await send(Frame(kind: .ping, flags: Frame.acknowledges, payload: payload))
            default: break
            }
            let canEnd = [.headers, .data].contains(frame.kind)
            if canEnd, frame.flags & Frame.endStream != 0 { answers[frame.stream]?.isEnded = true }
        }
        return answers
    }

    func answer(_ stream: UInt32) async throws -> Answer {
        try await answers([stream])[stream] ?? Answer()
    }

    /// The error code of the last GOAWAY frame; nil if the connection ends without one.
    ///
    /// - Parameter answersPings: Whether the client says that it has received the first, as it should.
    func goAway(answersPings: Bool = true) async -> UInt32? {
        var code: UInt32?
        while let frame = await next() {
            var payload = frame.payload
            if frame.kind == .ping, frame.flags == 0, answersPings {
                try? await send(Frame(kind: .ping, flags: Frame.acknowledges, payload: payload))
            }
            guard frame.kind == .goAway else { continue }
            payload.moveReaderIndex(forwardBy: 4)
            code = payload.readInteger()
        }
        return code
    }
}
