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
    /// Whether what was written has been sent, and the output closed.
    private var outputEnd: EventLoopFuture<Void>?
    /// The Close frame to send after the current frame.
    private var closeFrame: ByteBuffer?
    private var hasSentClose = false
    private let isOfClient: Bool
    /// The frame of `SocketMove` that is being received from the service.
    private var moveFrame: GatewayFrameReader?
    private var hold = Hold.none

    /// Whether received messages are passed on.
    private enum Hold {
        case none
        /// After the current message, when the function is called.
        case afterMessage(() -> Void)
        case holding(ByteBuffer)
    }

    /// - Parameters:
    ///   - frames: Where the received frames are.
    ///   - isOfClient: Whether the peer is the client, which may not use the opcodes of `SocketMove`. The frames of the
    ///     service with them are for the tunnel.
    init(_ frames: FrameWalker, isOfClient: Bool) {
        self.frames = frames
        self.isOfClient = isOfClient
    }

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
        guard let context else { return }
        let promise = context.eventLoop.makePromise(of: Void.self)
        outputEnd = outputEnd ?? promise.futureResult
        context.close(mode: .output, promise: promise)
    }

    /// Closes the connection once what was written before `closeOutput` has been sent, or after a time.
    func close(within time: TimeAmount) {
        guard let outputEnd, let context else { return close() }
        let timer = context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.close() }
        outputEnd.assumeIsolated().whenComplete { _ in
            timer.cancel()
            self.close()
        }
    }

    func close() {
        context?.close(promise: nil)
    }

    func resumeReading() {
        guard isReadHeld, !isLeaving, !isHolding, let context else { return }
        isReadHeld = false
        context.read()
    }

    var remoteAddress: IPAddress? { context.flatMap { IPAddress($0.channel.remoteAddress) } }

    /// Whether the connection is open.
    var isOpen: Bool { context != nil }

    /// Whether a frame for the tunnel has begun.
    var isReceivingMove: Bool { moveFrame != nil }

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
        var bytes = bytes
        while bytes.readableBytes > 0, !hasSentClose {
            if case .holding(var held) = hold {
                hold = .none
                held.writeBuffer(&bytes)
                hold = .holding(held)
            } else if moveFrame != nil {
                readMove(&bytes)
            } else {
                pass(&bytes)
            }
        }
    }

    /// Passes bytes up to where the stream stops.
    private func pass(_ bytes: inout ByteBuffer) {
        let received = bytes
        let count = frames.walk(received.readableBytesUInt8Span, stoppingBefore: stop)
        bytes.moveReaderIndex(forwardBy: count)
        if bytes.readableBytes == 0 {
            partner?.write(received)
        } else {
            if let part = received.getSlice(at: received.readerIndex, length: count), count > 0 { partner?.write(part) }
            if closeFrame == nil, case .none = hold { moveBegins(&bytes) }
        }
        sendClose()
        beginHolding()
    }

    private var stop: FrameWalker.Stop {
        if closeFrame != nil { return .frame }
        if case .afterMessage = hold { return .message }
        return .move
    }

    private func moveBegins(_ bytes: inout ByteBuffer) {
        guard isOfClient else { return moveFrame = GatewayFrameReader() }
        bytes.clear()
        tunnel?.close(with: .protocolError)
    }

    /// Whether a frame may be written to the other end.
    var isBetweenFrames: Bool { frames.isBetweenFrames }

    private func readMove(_ bytes: inout ByteBuffer) {
        do {
            guard let frame = try moveFrame?.read(&bytes) else { return }
            moveFrame = nil
            tunnel?.received(frame, rest: &bytes)
        } catch {
            moveFrame = nil
            bytes.clear()
            tunnel?.cut()
        }
    }

    /// Stops to pass messages and to read.
    ///
    /// - Parameter reached: Called when the current message has been passed, at once or later.
    func holdMessages(_ reached: @escaping () -> Void) {
        hold = .afterMessage(reached)
        beginHolding()
        partner?.flush()
    }

    private func beginHolding() {
        guard case .afterMessage(let reached) = hold, frames.isBetweenMessages else { return }
        hold = .holding(ByteBuffer())
        reached()
    }

    private var isHolding: Bool {
        if case .holding = hold { true } else { false }
    }

    /// Passes what was held, and goes on.
    func passMessages() {
        guard case .holding(let held) = hold else { return }
        hold = .none
        relay(held)
        partner?.flush()
        if hasEndedMeanwhile { inputClosed() }
        resumeReading()
    }

    /// Gives the connection up, which is closed, without an effect on the tunnel.
    func detach() {
        partner?.flush()
        tunnel = nil
        partner = nil
        close()
    }

    /// Gives up a connection whose peer cannot be reached, and ends what is sent to the other end.
    func abandon() {
        context?.channel.reset()
        partner?.partner = nil
        partner?.closeOutput()
        tunnel = nil
        partner = nil
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
        guard !isOfClient else { return }
        // The client's connection does not stay open until the service, which may hang, has closed its own.
        partner?.flush()
        partner?.closeOutput()
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
        if !isHolding, partner?.isWritable ?? true {
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
        if isLeaving || isHolding { hasEndedMeanwhile = true } else { inputClosed() }
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
        lost()
        close()
    }

    func channelInactive(context: ChannelHandlerContext) {
        lost()
    }

    /// Closes the other end. A peer at a Unix socket is gone as soon as its end is known, and what it has sent is still passed.
    private func lost() {
        if isInputClosed, let tunnel {
            partner?.close(within: tunnel.loop.core.limits.tunnelDrainTime)
        } else {
            partner?.close()
        }
    }
}
