import NIOCore

/// One end of a tunnel. It writes received bytes to the other end, no faster than that end accepts them.
final class TunnelEnd: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = Never
    typealias OutboundIn = Never
    typealias OutboundOut = ByteBuffer

    weak var tunnel: Tunnel?
    var partner: TunnelEnd?
    private var context: ChannelHandlerContext?
    private(set) var frames: FrameWalker
    /// Whether the connection is that of another process, or about to be, so that nothing may be done to it.
    private(set) var isLeaving = false
    private var hasEndedMeanwhile = false
    private var isReadHeld = false
    private(set) var isInputClosed = false
    /// The Close frame to send after the current frame.
    private var closeFrame: ByteBuffer?
    private var hasSentClose = false

    /// - Parameter frames: Where the received frames are.
    init(_ frames: FrameWalker) { self.frames = frames }

    // MARK: Interface for the other end and the tunnel

    var isWritable: Bool {
        context?.channel.isWritable ?? false
    }

    func write(_ bytes: ByteBuffer) {
        context?.write(Self.wrapOutboundOut(bytes), promise: nil)
    }

    func flush() {
        context?.flush()
    }

    func closeOutput() {
        context?.close(mode: .output, promise: nil)
    }

    func close() {
        context?.close(promise: nil)
    }

    func resumeReading() {
        guard isReadHeld, !isLeaving, let context else { return }
        isReadHeld = false
        context.read()
    }

    var remoteAddress: IPAddress? { context.flatMap { IPAddress($0.channel.remoteAddress) } }

    /// Whether the connection can move to another process.
    var canMove: Bool { !isInputClosed && context?.channel.canMove ?? false }

    /// See `Channel.leave`.
    func leave() -> CInt? {
        let descriptor = context?.channel.leave()
        isLeaving = descriptor != nil
        return descriptor
    }

    /// Leaves the connection to the process that it comes from.
    func standStill() { isLeaving = true }

    /// Goes on after `leave` or `standStill`.
    func stay() {
        guard isLeaving else { return }
        isLeaving = false
        if hasEndedMeanwhile { inputClosed() }
        context?.channel.stay()
    }

    /// Passes bytes to the other end.
    func relay(_ bytes: ByteBuffer) {
        guard !hasSentClose else { return }
        let whole = bytes.readableBytesUInt8Span
        let count = frames.walk(whole, stoppingAtFrameEnd: closeFrame != nil)
        if count == whole.count {
            partner?.write(bytes)
        } else if let part = bytes.getSlice(at: bytes.readerIndex, length: count) {
            partner?.write(part)
        }
        sendClose()
    }

    /// Sends a final frame to the other end once the current one has passed.
    func end(with frame: ByteBuffer) {
        closeFrame = frame
        sendClose()
        partner?.flush()
    }

    private func sendClose() {
        guard let closeFrame, !hasSentClose, frames.isBetweenFrames else { return }
        hasSentClose = true
        partner?.write(closeFrame)
    }

    // MARK: ChannelDuplexHandler

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        tunnel?.ended()
        partner?.partner = nil
        partner = nil
    }

    func read(context: ChannelHandlerContext) {
        if partner?.isWritable ?? true {
            context.read()
        } else {
            isReadHeld = true
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        relay(Self.unwrapInboundIn(data))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        tunnel?.recordTraffic()
        partner?.flush()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { partner?.resumeReading() }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event as? ChannelEvent == .inputClosed else { return }
        if isLeaving { hasEndedMeanwhile = true } else { inputClosed() }
    }

    private func inputClosed() {
        isInputClosed = true
        if let partner, !partner.isInputClosed {
            partner.closeOutput()
        } else {
            partner?.close()
            close()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        partner?.close()
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        partner?.close()
    }
}
