import NIOCore
import TestKit
import Testing
import Values

@testable import NATS

@Suite struct OperationParserTests {
    private static let stream =
        "INFO {\"server_id\":\"A\",\"max_payload\":64,\"cluster\":\"c\",\"tls_required\":true}\r\n"
        + "PING\r\n+OK\r\nMSG a.b 1 5\r\nhello\r\nmsg a 2 reply.x 0\r\n\r\nMSG\ta \t3  4\r\n\r\n\r\n\r\n"
        + "-ERR 'Authorization Violation'\r\nPONG\r\npong \r\nMSG 방 9 6\r\n안녕\r\n"

    private static func operations(of parts: some Sequence<ByteBuffer>) throws -> [ServerOperation] {
        var parser = OperationParser()
        var operations: [ServerOperation] = []
        for part in parts {
            parser.append(part)
            while let operation = try parser.next() { operations.append(operation) }
        }
        #expect(parser.isEmpty)
        return operations
    }

    private static func check(_ operations: [ServerOperation]) throws {
        let first = try #require(operations.first)
        guard case .info(let info) = first else {
            Issue.record("INFO is not first")
            return
        }
        #expect((info.cluster, info.maxPayload, info.requiresTLS, info.offersTLS) == ("c", 64, true, false))
        #expect(
            Array(operations.dropFirst()) == [
                .ping, .ok, .message(subject: "a.b", payload: "hello"), .message(subject: "a", payload: ""),
                .message(subject: "a", payload: "\r\n\r\n"), .error("Authorization Violation"), .pong, .pong,
                .message(subject: "방", payload: "안녕"),
            ]
        )
    }

    @Test func stream_inOnePart_isParsed() throws {
        try Self.check(Self.operations(of: [ByteBuffer(string: Self.stream)]))
    }

    @Test func stream_byteByByte_isParsed() throws {
        try Self.check(Self.operations(of: Self.stream.utf8.map { ByteBuffer(bytes: [$0]) }))
    }

    @Test func stream_inTwoParts_isParsedWhereverItIsSplit() throws {
        let bytes = Array(Self.stream.utf8)
        for end in 0...bytes.count {
            try Self.check(Self.operations(of: [bytes[..<end], bytes[end...]].map { ByteBuffer(bytes: $0) }))
        }
    }

    static let malformed = [
        "HTTP/1.1 400 Bad Request\r\n", "\r\n", "PING\n", " PING\r\n", "HMSG a 1 2 3\r\n", "INFO\r\n", "INFO []\r\n",
        "INFO {\r\n", "MSG\r\n", "MSG a 1\r\n", "MSG a 1 x\r\n", "MSG a 1 -1\r\n", "MSG a 1 +1\r\n",
        "MSG a 1 b c 1\r\n", "MSG a 1 99999999999\r\n", "MSG a 1 1048577\r\n", "MSG a 1 1\r\nab\r\n",
        "MSG a 1 1\r\na\n\n", "MSG \u{0} 1 2\r\nabc\r\n", "PING" + String(repeating: " ", count: 4100) + "\r\n",
        String(repeating: "x", count: 33_000), "INFO {" + String(repeating: " ", count: 33_000) + "}\r\n",
    ]

    @Test(arguments: malformed)
    func malformedBytes_areRefused_inAnyParts(text: String) {
        for size in [1, 7, text.utf8.count] {
            #expect(throws: OperationParser.Malformed.self) {
                let bytes = Array(text.utf8)
                let starts = stride(from: 0, to: bytes.count, by: size)
                _ = try Self.operations(of: starts.map { ByteBuffer(bytes: bytes[$0..<min($0 + size, bytes.count)]) })
            }
        }
    }

    @Test func negativeMaxPayload_acceptsEmptyPayloadsOnly() throws {
        var parser = OperationParser()
        parser.append(ByteBuffer(string: "INFO {\"max_payload\":-1}\r\nMSG a 1 0\r\n\r\nMSG a 1 1\r\nx\r\n"))
        _ = try parser.next()
        #expect(try parser.next() == .message(subject: "a", payload: ""))
        #expect(throws: OperationParser.Malformed.self) { try parser.next() }
    }

    /// Streams with some bytes changed end in operations or an error, and never in a crash; how they are split changes
    /// nothing.
    @Test(arguments: 0..<200)
    func changedStream_isParsedAlikeInAnyParts(seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        var bytes = Array(Self.stream.utf8)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.remove(at: index)
            default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: index)
            }
        }
        func outcome(_ parts: [ArraySlice<UInt8>]) -> ([ServerOperation], failed: Bool) {
            var parser = OperationParser()
            var operations: [ServerOperation] = []
            do {
                for part in parts {
                    parser.append(ByteBuffer(bytes: part))
                    while let operation = try parser.next() { operations.append(operation) }
                }
                return (operations, false)
            } catch {
                return (operations, true)
            }
        }
        let whole = outcome([bytes[...]])
        let single = outcome(bytes.indices.map { bytes[$0...$0] })
        let end = Int.random(in: 0...bytes.count, using: &random)
        let halves = outcome([bytes[..<end], bytes[end...]])
        #expect(whole == single)
        #expect(whole == halves)
    }
}
