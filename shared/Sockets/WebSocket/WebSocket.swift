import Contracts
package import NIOCore

/// An open WebSocket (RFC 6455): one channel handler on its event loop, without a task and with no memory beyond the
/// data being received and sent.
///
/// It answers pings, pings a silent peer, closes the connection of a silent or slow one, performs the closing
/// handshake, and sends a Close frame (1001) on shutdown. Not `Sendable`: it is used on its event loop only.
package final class WebSocket: ChannelDuplexHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = Never
    package typealias OutboundIn = Never
    package typealias OutboundOut = ByteBuffer

    package let eventLoop: any EventLoop
    /// The time of the last read.
    package private(set) var lastRead: NIODeadline

    private let role: WebSocketRole
    private var limits: WebSocketLimits
    private var reader: MessageReader
    private var delegate: (any WebSocketDelegate)?
    private var context: ChannelHandlerContext?
    private var end: WebSocketEnd?
    private var move = WebSocketMove.none
    private var saidClose = false
    private var heardClose = false
    /// When the ping was sent that the peer has not reacted to.
    private var pingedAt: NIODeadline?
    private var isReadingPaused = false
    private var isReadHeld = false
    private var timer: Scheduled<Void>?
    /// Whether frames were written but not flushed.
    package private(set) var hasUnflushed = false

    init(
        _ role: WebSocketRole,
        on eventLoop: any EventLoop,
        limits: WebSocketLimits,
        delegate: (any WebSocketDelegate)?,
        movesAs name: String? = nil
    ) {
        self.role = role
        self.eventLoop = eventLoop
        self.limits = limits
        self.delegate = delegate
        self.lastRead = eventLoop.now
        self.reader = MessageReader(role, limit: limits.messageSize)
        if let name { allowMove(as: name) }
    }

    /// A socket that comes from another copy of the service.
    ///
    /// - Parameter find: Finds an endpoint by its name.
    convenience init(
        receivingOn eventLoop: any EventLoop,
        _ find: @escaping @Sendable (String) -> (any WebSocketEndpoint)?
    ) {
        self.init(.server, on: eventLoop, limits: WebSocketLimits(), delegate: nil)
        move = .coming(find)
        reader.allowsMoves = true
    }

    // MARK: Sending

    /// Whether messages can still be sent.
    package var isOpen: Bool { context != nil && !saidClose }

    /// The number of bytes that were written but not accepted by the system.
    package var unsent: Int {
        (try? context?.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Writes a whole frame, such as `ByteBuffer.webSocketFrame` creates; `flush` sends it.
    ///
    /// The connection of a peer that does not read is closed when too many bytes are pending.
    ///
    /// - Parameter rest: The second part of the frame, if the frame is passed in two parts.
    package func write(_ frame: ByteBuffer, _ rest: ByteBuffer? = nil, promise: EventLoopPromise<Void>? = nil) {
        guard isOpen, let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        if let rest {
            context.write(Self.wrapOutboundOut(frame), promise: nil)
            context.write(Self.wrapOutboundOut(rest), promise: promise)
        } else {
            context.write(Self.wrapOutboundOut(frame), promise: promise)
        }
        hasUnflushed = true
        guard !context.channel.isWritable, role == .server else { return }
        flush()
        if self.context?.channel.isWritable == false { cut(.policyViolation, "reads too slowly") }
    }

    /// Writes a frame with this payload; `flush` sends it.
    package func write(_ opcode: Opcode, _ payload: ByteBuffer, promise: EventLoopPromise<Void>? = nil) {
        write(.webSocketFrame(opcode, payload, mask: newMask), promise: promise)
    }

    package func flush() {
        guard hasUnflushed else { return }
        hasUnflushed = false
        context?.flush()
    }

    /// Sends a Close frame, and closes the connection after the peer's response or a timeout.
    package func close(_ code: CloseCode, _ reason: String = "") {
        guard !saidClose, context != nil else { return }
        end = end ?? .closedHere(code, reason: reason)
        sayClose(code, reason)
    }

    /// Closes the connection without a Close frame.
    package func abort() {
        context?.close(promise: nil)
    }

    /// Stops reading until `resumeReading`, which applies back-pressure to the peer.
    package func pauseReading() {
        isReadingPaused = true
    }

    package func resumeReading() {
        isReadingPaused = false
        guard isReadHeld else { return }
        isReadHeld = false
        context?.read()
    }

    private var newMask: UInt32? {
        role == .client ? UInt32.random(in: 0 ... .max) : nil
    }

    // MARK: Closing

    private func cut(_ code: CloseCode, _ reason: String) {
        guard !saidClose else { return }
        WebSocketMetrics.cut(reason)
        close(code, reason)
    }

    /// Sends the last frame. If the peer has sent a Close frame too, or its input is ignored, the output is closed and
    /// the remaining input is discarded, because a reset would keep the peer from reading the last frame.
    private func sayClose(_ code: CloseCode?, _ reason: String) {
        guard let context else { return }
        var payload = ByteBuffer()
        if let code {
            payload.writeInteger(code.rawValue)
            payload.writeString(String(decoding: reason.utf8.prefix(FrameHeader.controlLimit - 2), as: UTF8.self))
        }
        saidClose = true
        isReadingPaused = false
        hasUnflushed = false
        let frame = ByteBuffer.webSocketFrame(.close, payload, mask: newMask)
        let sent = context.writeAndFlush(Self.wrapOutboundOut(frame)).assumeIsolated()
        sent.whenComplete { [self] _ in if heardClose { closeOutput() } }
        schedule(in: limits.closeTime) { $0.context?.close(promise: nil) }
        if isReadHeld { resumeReading() }
    }

    private func closeOutput() {
        context?.close(mode: .output, promise: nil)
    }

    private func heardClose(_ code: CloseCode?, _ reason: String) {
        heardClose = true
        end = end ?? .closedByPeer(code, reason: reason)
        if saidClose { closeOutput() } else { sayClose(code, "") }
    }

    private func fail(_ failure: WebSocketFailure) {
        heardClose = true
        end = end ?? .closedHere(failure.code, reason: failure.reason)
        if saidClose { closeOutput() } else { sayClose(failure.code, failure.reason) }
    }

    // MARK: Moving between copies of the service

    private func allowMove(as name: String) {
        move = .possible(name)
        reader.allowsMoves = true
    }

    /// Offers the socket to other copies, because this one ends, or closes it.
    private func offer() {
        guard case .possible(let name) = move, isOpen, !heardClose else { return closeAway() }
        offer(as: name)
    }

    private func offer(as name: String) {
        let token = UInt64.random(in: 0 ... .max)
        move = .offered(name, token)
        write(.pause, ByteBuffer(integer: token))
        flush()
        schedule(in: limits.moveTime) { $0.closeAway() }
    }

    private func closeAway() { close(.goingAway, "the server is going away") }

    private func paused(_ payload: ByteBuffer) {
        if payload.readableBytes == 0, case .possible(let name) = move {
            if isOpen { offer(as: name) }
            return
        }
        guard case .offered(let name, let token) = move, payload == ByteBuffer(integer: token) else {
            return fail(WebSocketFailure(.protocolError, "unexpected pause"))
        }
        move = .leaving
        delegate?.suspend { [self] state in leave(name, state) }
    }

    private func leave(_ name: String, _ state: ByteBuffer?) {
        guard case .leaving = move, isOpen else { return }
        let payload = state.map { WebSocketMove.payload(name, $0) }
        guard let payload, payload.readableBytes <= SocketMove.stateSize else { return closeAway() }
        write(.state, payload)
        flush()
        guard isOpen else { return }
        end = .moved
        saidClose = true
        schedule(in: limits.closeTime) { $0.abort() }
    }

    private func arrived(_ payload: ByteBuffer) {
        guard case .coming(let find) = move else {
            return fail(WebSocketFailure(.protocolError, "unexpected state"))
        }
        guard let (name, state) = WebSocketMove.parse(payload), let endpoint = find(name),
            let delegate = try? endpoint.delegate(resuming: state, on: eventLoop)
        else { return close(.internalError, "the state of the socket is not understood") }
        limits = endpoint.limits
        reader.limit = limits.messageSize
        try? context?.channel.setWebSocketOptions(limits)
        schedule(in: limits.pingTime) { $0.watch() }
        allowMove(as: name)
        self.delegate = delegate
        delegate.opened(self)
    }

    /// Confirms that this copy continues the socket.
    package func confirmMove() {
        write(.state, ByteBuffer())
        flush()
    }

    // MARK: Timers

    private func schedule(in time: TimeAmount, _ body: @escaping (WebSocket) -> Void) {
        timer?.cancel()
        timer = eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in body(self) }
    }

    private func watch() {
        guard isOpen else { return }
        let now = eventLoop.now
        if isReadHeld { pingedAt = nil }
        let silence = isReadHeld ? .nanoseconds(0) : now - lastRead
        guard silence >= limits.pingTime else { return schedule(in: limits.pingTime - silence) { $0.watch() } }
        // The answer's time counts from the ping: after a pause of this process the peer has been silent without a fault.
        let answerBy = (pingedAt ?? now) + (limits.silenceTime - limits.pingTime)
        if pingedAt == nil {
            pingedAt = now
            write(.ping, ByteBuffer())
            flush()
        } else if now >= answerBy {
            return cut(.policyViolation, "silent for too long")
        }
        guard isOpen else { return }
        schedule(in: answerBy - now) { $0.watch() }
    }

    // MARK: ChannelDuplexHandler

    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if role == .server { WebSocketMetrics.opened() }
        schedule(in: limits.pingTime) { $0.watch() }
        delegate?.opened(self)
        flush()
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        ended()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        ended()
    }

    private func ended() {
        guard context != nil else { return }
        context = nil
        timer?.cancel()
        timer = nil
        if role == .server { WebSocketMetrics.closed() }
        let delegate = delegate
        self.delegate = nil
        delegate?.closed(end ?? .lost)
    }

    package func read(context: ChannelHandlerContext) {
        if isReadingPaused {
            isReadHeld = true
        } else {
            context.read()
        }
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        lastRead = eventLoop.now
        pingedAt = nil
        guard !heardClose else { return }
        reader.append(Self.unwrapInboundIn(data))
        do {
            while !heardClose, let event = try reader.next() { take(event) }
        } catch {
            fail(error)
        }
    }

    private func take(_ event: MessageReader.Event) {
        switch event {
        case .text(let bytes):
            deliver(.text(bytes))
        case .binary(let bytes):
            deliver(.binary(bytes))
        case .ping(let payload):
            write(.pong, payload)
        case .pong(let payload):
            delegate?.receivedPong(payload)
        case .pause(let payload):
            paused(payload)
        case .state(let payload):
            arrived(payload)
        case .close(let code, let reason):
            heardClose(code, reason)
        }
    }

    private func deliver(_ message: WebSocketMessage) {
        guard !saidClose else { return }
        if move.allowsMessages {
            delegate?.received(message)
        } else {
            fail(WebSocketFailure(.protocolError, "a message of a socket that moves"))
        }
    }

    package func channelReadComplete(context: ChannelHandlerContext) {
        readAll()
    }

    func readAll() {
        delegate?.receivedAll()
        flush()
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is ChannelShouldQuiesceEvent: offer()
        case ChannelEvent.inputClosed as ChannelEvent: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
