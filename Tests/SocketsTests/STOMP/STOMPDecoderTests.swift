import NIOCore
import TestKit
import Testing
import Values

@testable import Sockets

struct STOMPDecoderTests {
    private static func decode(
        _ text: String,
        version: STOMPVersion = .v12,
        by size: Int = .max
    ) throws -> [STOMPDecoder.Event] {
        var decoder = STOMPDecoder(STOMPLimits())
        decoder.version = version
        var events: [STOMPDecoder.Event] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            decoder.append(ByteBuffer(bytes: rest.prefix(size)))
            rest = rest.dropFirst(size)
            while let event = try decoder.next() { events.append(event) }
        }
        return events
    }

    private static let conversation = """
        CONNECT\naccept-version:1.1,1.2\nAuthorization:Bearer a:b\\c\n\n\0\n\r\n\
        SEND\r\ndestination:/a\r\ncontent-length:3\r\n\r\n\0\n\0\0\
        SUBSCRIBE\nid:1\nid:2\nname\\cwith:colon\\c and \\\\ and \\n\\r\nempty:\n\n\0SEND\ndestination:/b\n\n안녕\0
        """
    private static let events: [STOMPDecoder.Event] = [
        .frame(STOMPFrame("CONNECT", [("accept-version", "1.1,1.2"), ("Authorization", "Bearer a:b\\c")])),
        .beat, .beat,
        .frame(
            STOMPFrame("SEND", [("destination", "/a"), ("content-length", "3")], body: ByteBuffer(bytes: [0, 10, 0]))
        ),
        .frame(
            STOMPFrame("SUBSCRIBE", [("id", "1"), ("id", "2"), ("name:with", "colon: and \\ and \n\r"), ("empty", "")])
        ),
        .frame(STOMPFrame("SEND", [("destination", "/b")], body: ByteBuffer(string: "안녕"))),
    ]

    @Test func frames_areDecodedAtAnyFragmentation() throws {
        let whole = Array(Self.conversation.utf8)
        for size in [1, 2, 3, 5, 7, 16, 64, whole.count] {
            #expect(try Self.decode(Self.conversation, by: size) == Self.events, "\(size)")
        }
        for place in 1..<whole.count {
            var decoder = STOMPDecoder(STOMPLimits())
            var events: [STOMPDecoder.Event] = []
            for part in [whole[..<place], whole[place...]] {
                decoder.append(ByteBuffer(bytes: part))
                while let event = try decoder.next() { events.append(event) }
            }
            #expect(events == Self.events, "\(place)")
        }
    }

    @Test func repeatedHeader_firstValueIsUsed() {
        let headers = STOMPHeaders([("id", "1"), ("id", "2")])
        #expect(headers["id"] == "1" && headers["ID"] == nil)
    }

    @Test func version10_hasNoEscapes() throws {
        let frame = "SEND\ndestination:\\c\\x\n\n\0"
        #expect(try Self.decode(frame, version: .v10) == [.frame(STOMPFrame("SEND", [("destination", "\\c\\x")]))])
    }

    @Test(arguments: [
        "SEND\n:value\n\n\0", "SEND\nnocolon\n\n\0", "SEND\na:\\t\n\n\0", "SEND\na:\\\n\n\0", "SEND\na:b\0\n\n\0",
        "SEND\0",
        "SEND\ncontent-length:x\n\n\0", "SEND\ncontent-length:-1\n\n\0", "SEND\ncontent-length:\n\n\0",
        "SEND\ncontent-length:99999999999999999999\n\n\0", "SEND\ncontent-length:1\n\nab\0",
        "SEND\ncontent-length:65537\n\n",
        "SEND\n\n" + String(repeating: "x", count: 65_537), "SEND\na:" + String(repeating: "x", count: 16_384),
        "SEND\n" + String(repeating: "a:b\n", count: 65) + "\n\0", String(repeating: "x", count: 16_385),
    ]) func malformedFrame_isRefused(_ text: String) {
        for size in [1, 100, .max] { #expect(throws: STOMPRefusal.self) { try Self.decode(text, by: size) } }
    }

    @Test func headers_notUTF8_areRefused() {
        var decoder = STOMPDecoder(STOMPLimits())
        decoder.append(ByteBuffer(bytes: Array("SEND\na:".utf8) + [0xff, 0x0a]))
        #expect(throws: STOMPRefusal.self) { try decoder.next() }
    }

    @Test func mutatedFrames_decodingTerminates() {
        var random = SplitMix(state: 3)
        let whole = Array(Self.conversation.utf8)
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0 ... .max, using: &random)
            }
            var decoder = STOMPDecoder(STOMPLimits())
            decoder.append(ByteBuffer(bytes: bytes))
            var count = 0
            while let _ = try? decoder.next() { count += 1 }
            #expect(count <= bytes.count)
        }
    }

    @Test(
        arguments: [
            (nil, "1.0"), ("1.0", "1.0"), ("1.1,1.2", "1.2"), ("1.2, 1.1", "1.2"), ("1.0,1.1", "1.1"), ("1.3", nil),
            ("", nil),
            ("1.2,2.0", "1.2"), ("12", nil),
        ] as [(String?, String?)]
    ) func highestCommonVersion_isNegotiated(_ accepted: String?, _ spoken: String?) {
        #expect(STOMPVersion(accepted: accepted)?.rawValue == spoken)
    }
}
