import NIOCore

/// Encodes frames in a form that every client can parse, including the one of SeatCatcher contract 2.6: one frame per
/// text message, LF only, NUL last and nothing after it, no colon in a header's value.
enum STOMPEncoder {
    /// A frame without a body, as a text message.
    static func frame(
        _ command: StaticString,
        _ headers: [(name: StaticString, value: String)],
        version: STOMPVersion
    ) -> ByteBuffer {
        var frame = ByteBuffer()
        frame.writeStaticString(command)
        frame.writeInteger(UInt8(0x0a))
        for header in headers { frame.writeSTOMPHeader(header.name, header.value, escapes: version.escapes) }
        frame.writeMultipleIntegers(UInt8(0x0a), UInt8(0))
        return .webSocketFrame(.text, frame)
    }

    /// The part of a MESSAGE frame before its body, as a text message.
    ///
    /// - Parameter length: The size of the body, in bytes.
    static func messageHead(
        _ message: STOMPMessage,
        to subscription: STOMPSubscription,
        length: Int,
        escapes: Bool
    ) -> ByteBuffer {
        var head = ByteBuffer()
        head.writeStaticString("MESSAGE\n")
        head.writeSTOMPHeader("destination", subscription.destination, escapes: escapes)
        head.writeSTOMPHeader("message-id", String(message.id), escapes: escapes)
        head.writeSTOMPHeader("subscription", subscription.id, escapes: escapes)
        head.writeSTOMPHeader("content-type", message.contentType, escapes: escapes)
        head.writeSTOMPHeader("content-length", String(length), escapes: escapes)
        for header in message.headers { head.writeSTOMPHeader(header.name, header.value, escapes: escapes) }
        head.writeInteger(UInt8(0x0a))
        var frame = ByteBuffer()
        frame.reserveCapacity(head.readableBytes + 10)
        frame.writeTextFrameHeader(length: head.readableBytes + length + 1)
        frame.writeBuffer(&head)
        return frame
    }
}
