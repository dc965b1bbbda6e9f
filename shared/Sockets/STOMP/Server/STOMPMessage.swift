package import NIOCore
import Synchronization

/// A message for any number of subscriptions; its body is encoded once.
package final class STOMPMessage: Sendable {
    /// Its number in the sequence of its topic, and its `message-id`.
    package let id: Int64
    package let contentType: String
    package let headers: [(name: StaticString, value: String)]
    /// The body and the NUL that ends a frame.
    let tail: ByteBuffer
    private let whenDelivered: (@Sendable () -> Void)?
    private let wasDelivered = Atomic(false)

    /// The size of the body, in bytes.
    package var size: Int { tail.readableBytes - 1 }

    /// - Parameters:
    ///   - body: The body in UTF-8, because it is sent in a text message.
    ///   - whenDelivered: Called once, when the message is first written to a socket.
    package init(
        id: Int64,
        body: ByteBuffer,
        contentType: String = "application/json",
        headers: [(name: StaticString, value: String)] = [],
        whenDelivered: (@Sendable () -> Void)? = nil
    ) {
        self.id = id
        self.contentType = contentType
        self.headers = headers
        self.whenDelivered = whenDelivered
        var tail = ByteBuffer()
        tail.reserveCapacity(body.readableBytes + 1)
        tail.writeImmutableBuffer(body)
        tail.writeInteger(UInt8(0))
        self.tail = tail
    }

    func delivered() {
        guard let whenDelivered, !wasDelivered.exchange(true, ordering: .relaxed) else { return }
        whenDelivered()
    }
}

/// Writes one message to many sockets: subscriptions with the same id and destination share the whole frame, others its
/// body.
struct STOMPMessageWriter {
    let message: STOMPMessage
    private var subscription: STOMPSubscription?
    private var escapes = true
    private var head = ByteBuffer()
    private var whole: ByteBuffer?

    init(_ message: STOMPMessage) {
        self.message = message
    }

    /// - Parameter promise: Completed when the socket has accepted the message, or failed.
    mutating func write(
        to outlet: STOMPOutlet,
        for subscription: STOMPSubscription,
        promise: EventLoopPromise<Void>? = nil
    ) {
        guard let socket = outlet.socket, socket.isOpen else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        if subscription == self.subscription, outlet.version.escapes == escapes {
            let frame = whole ?? joined()
            whole = frame
            socket.write(frame, promise: promise)
        } else {
            self.subscription = subscription
            escapes = outlet.version.escapes
            whole = nil
            head = STOMPEncoder.messageHead(
                message,
                to: subscription,
                length: message.tail.readableBytes - 1,
                escapes: escapes
            )
            socket.write(head, message.tail, promise: promise)
        }
        message.delivered()
    }

    private func joined() -> ByteBuffer {
        var frame = ByteBuffer()
        frame.reserveCapacity(head.readableBytes + message.tail.readableBytes)
        frame.writeImmutableBuffer(head)
        frame.writeImmutableBuffer(message.tail)
        return frame
    }
}
