import NIOCore
import Testing

@testable import Sockets

/// Frames that the parser of SeatCatcher's app can read (SeatCatcher contract 2.6).
struct STOMPEncoderTests {
    /// The payload of a text frame.
    private func payload(_ frame: ByteBuffer) -> String {
        var frame = frame
        #expect(frame.readInteger(as: UInt8.self) == 0x81)
        let short = frame.readInteger(as: UInt8.self) ?? 0
        let length = short == 126 ? Int(frame.readInteger(as: UInt16.self) ?? 0) : Int(short)
        #expect(length == frame.readableBytes)
        return String(buffer: frame)
    }

    private func message(_ body: String, _ subscription: STOMPSubscription, escapes: Bool = true) -> String {
        let message = STOMPMessage(id: 7, body: ByteBuffer(string: body))
        var frame = STOMPEncoder.messageHead(message, to: subscription, length: body.utf8.count, escapes: escapes)
        frame.writeImmutableBuffer(message.tail)
        return payload(frame)
    }

    @Test func message_hasRequiredHeadersOnly() {
        let body = #"[{"a":"안"}]"#
        #expect(
            message(body, STOMPSubscription(id: "/topic/seat.2001", destination: "/topic/seat.2001")) == """
                MESSAGE\ndestination:/topic/seat.2001\nmessage-id:7\nsubscription:/topic/seat.2001\n\
                content-type:application/json\ncontent-length:\(body.utf8.count)\n\n\(body)\0
                """
        )
    }

    @Test func headerValues_areEscaped() {
        let odd = STOMPSubscription(id: "a:b\\c\n", destination: "/x:y")
        let lines = message("{}", odd).split(separator: "\n\n")[0].split(separator: "\n")
        #expect(lines.contains("subscription:a\\cb\\\\c\\n") && lines.contains("destination:/x\\cy"))
        #expect(lines.dropFirst().allSatisfy { $0.count { $0 == ":" } == 1 })
        #expect(message("{}", odd, escapes: false).contains("destination:/x:y\n"), "version 1.0 has no escapes")
    }

    @Test func error_isOneLine() {
        #expect(STOMPRefusal("No: not\nnow\r\nat all").text == "No; not now at all")
        let frame = STOMPEncoder.frame("ERROR", [("message", "a"), ("receipt-id", "r:1")], version: .v12)
        #expect(payload(frame) == "ERROR\nmessage:a\nreceipt-id:r\\c1\n\n\0")
    }

    @Test func longMessage_isFramed() {
        let body = String(repeating: "x", count: 60_000)
        #expect(message(body, STOMPSubscription(id: "1", destination: "/d")).hasSuffix(body + "\0"))
    }
}
