import Authentication
import Contracts
import NIOCore

/// A connection on which a copy of a service is given the state of a socket (`SocketMove`).
final class SocketArrival: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Outcome {
        /// The copy continues the socket. With the bytes that it has sent behind the confirmation.
        case confirmed(ChannelHandlerContext, rest: ByteBuffer)
        /// The copy has closed the socket; the status is nil if it has another meaning than those of the gateway.
        case closed(CloseStatus?)
        case failed
    }

    private let state: ByteBuffer
    private let deadline: NIODeadline
    private let loop: EventLoopContext
    /// nil after it was called.
    private var done: ((Outcome) -> Void)?
    private let key: [UInt8]
    private var context: ChannelHandlerContext?
    private var received = ByteBuffer()
    private var response = ResponseReader()
    /// nil until the handshake is accepted.
    private var frame: GatewayFrameReader?

    /// - Parameters:
    ///   - deadline: When the copy must have confirmed.
    ///   - done: Called once, unless the arrival is abandoned.
    init(of state: ByteBuffer, until deadline: NIODeadline, _ loop: EventLoopContext, done: @escaping (Outcome) -> Void)
    {
        self.state = state
        self.deadline = deadline
        self.loop = loop
        self.done = done
        var nonce = ByteBuffer()
        nonce.writeMultipleIntegers(loop.ids.next(), loop.ids.next())
        key = UpgradeRequest.base64(Array(buffer: nonce))
        response.begin(.get)
    }

    /// Sends the handshake.
    func begin(with endpoint: Endpoint, key callKey: CallKey?) {
        guard let context, let callKey else { return end(.failed) }
        var head = ByteBuffer()
        head.writeStaticString("GET ")
        head.writeString(SocketMove.path)
        head.writeInteger(UInt8.space)
        let signed = 0..<head.writerIndex
        head.writeString("HTTP/1.1\r\nHost: \(endpoint.name)\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n")
        head.writeStaticString("Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ")
        head.writeBytes(key)
        head.writeStaticString("\r\n")
        let identity = IdentityLine(InternalIdentity(caller: .gateway))
        identity.write(for: signed, key: callKey, now: loop.clock.seconds, to: &head)
        head.writeStaticString("\r\n")
        context.writeAndFlush(Self.wrapOutboundOut(head), promise: nil)
        context.read()
    }

    func tick(now: NIODeadline) {
        if now > deadline { end(.failed) }
    }

    /// Closes the connection.
    func abandon() {
        done = nil
        context?.close(promise: nil)
    }

    private func end(_ outcome: Outcome) {
        guard let done else { return }
        self.done = nil
        if case .confirmed = outcome {} else { context?.close(promise: nil) }
        done(outcome)
    }

    // MARK: ChannelInboundHandler

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = Self.unwrapInboundIn(data)
        received.writeBuffer(&bytes)
        do {
            if frame == nil, try readHandshake() {
                frame = GatewayFrameReader()
                context.writeAndFlush(
                    Self.wrapOutboundOut(loop.frame(GatewayFrame(opcode: SocketMove.state, payload: state))),
                    promise: nil
                )
            }
            guard let answer = try frame?.read(&received) else { return }
            read(answer, context)
        } catch {
            end(.failed)
        }
    }

    private func readHandshake() throws -> Bool {
        while let event = try response.next(&received) {
            guard case .head(let bytes) = event, response.head.status >= 200 || response.head.status == 101 else {
                continue
            }
            let accept = UpgradeRequest.accept(forKey: key)
            guard response.head.status == 101,
                UpgradeRequest(accept: accept).isAccepted(by: response.head, bytes.readableBytesUInt8Span)
            else { throw Refused() }
            return true
        }
        return false
    }

    /// The copy does not accept the handshake.
    private struct Refused: Error {}

    private func read(_ answer: GatewayFrame, _ context: ChannelHandlerContext) {
        switch answer.opcode {
        case SocketMove.state where answer.payload.readableBytes == 0:
            end(.confirmed(context, rest: received))
        case 0x8:
            let code = answer.payload.getInteger(at: answer.payload.readerIndex, as: UInt16.self)
            end(.closed(code.flatMap(CloseStatus.init)))
        default: end(.failed)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { end(.failed) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { end(.failed) }
    func channelInactive(context: ChannelHandlerContext) { end(.failed) }
}
