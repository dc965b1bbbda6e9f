import NIOCore
import ServiceKit

/// A client connection. Reads its requests one at a time and responds to each, from a service or from the gateway
/// itself. What happens on an event is decided by `ClientConnectionState`.
///
/// Memory is bounded in both directions: the client is not read while the service does not accept the request's bytes,
/// and the service is not read while the client does not accept the response's.
final class ClientConnection: ChannelDuplexHandler, RemovableChannelHandler, TimedConnection {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never

    let loop: EventLoopContext
    /// From whom the current request comes.
    private(set) var origin: RequestOrigin
    /// The proxy at the other end, whose requests come from others.
    let proxy: RequestOrigin?
    let output = ChannelOutput()
    private let upstream: UpstreamSender
    private(set) var state: ClientConnectionState
    let reader = RequestReader()
    private var decider: RequestDecider
    /// The request that is at a service, or waits for a connection to it.
    private var exchange: HTTPExchange?
    private var isReadHeld = false

    /// - Parameters:
    ///   - origin: The other end of the connection.
    ///   - isProxy: Whether that is a trusted proxy, which writes into each request from whom it comes.
    ///   - isIdle: Whether it has had requests before.
    init(loop: EventLoopContext, origin: RequestOrigin, isProxy: Bool = false, isIdle: Bool = false) {
        self.loop = loop
        self.origin = origin
        proxy = isProxy ? origin : nil
        upstream = UpstreamSender(loop: loop)
        state = ClientConnectionState(loop.core.limits, now: .now(), isIdle: isIdle)
        decider = RequestDecider(loop: loop, isProxy: isProxy)
    }

    // MARK: ChannelDuplexHandler

    func handlerAdded(context: ChannelHandlerContext) {
        output.context = context
        loop.add(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        output.context = nil
        loop.remove(self)
    }

    func read(context: ChannelHandlerContext) {
        isReadHeld = !state.mayRead(buffered: reader.bytes.readableBytes)
        if !isReadHeld { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        wake()
        reader.append(Self.unwrapInboundIn(data))
        process()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        wake()
        state.clientWritabilityChanged(context.channel.isWritable)
        guard isWritable else { return }
        upstream.connection?.resumeReading()
        process()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { perform(state.clientClosed()) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        perform(state.clientClosed())
    }

    func channelInactive(context: ChannelHandlerContext) {
        perform(state.clientClosed())
    }

    // MARK: TimedConnection

    func tick(now: NIODeadline) {
        state.now = now
        upstream.connection?.leaveUnreachable()
        if perform(state.checkDeadline(hasInput: reader.bytes.readableBytes > 0)) { process() }
    }

    func drain() {
        wake()
        state.drain()
    }

    func cut() { perform(state.cut()) }

    // MARK: Actions

    /// Updates the current time at the start of an event.
    func wake() {
        state.now = .now()
    }

    /// Handles the received bytes as far as possible, then sends the resulting output.
    func process() {
        while perform(state.next(&reader.bytes)) {}
        output.flush()
        output.shrink()
        reader.releaseIfEmpty()
        guard isReadHeld, state.mayRead(buffered: reader.bytes.readableBytes) else { return }
        isReadHeld = false
        output.context?.read()
    }

    /// - Returns: Whether there may be more to do.
    @discardableResult
    private func perform(_ action: ConnectionAction) -> Bool {
        switch action {
        case .wait: return false
        case .readHead: return readHead()
        case .send(let piece): upstream.send(piece)
        case .flush: upstream.flush()
        case .sendAgain: if let exchange { upstream.connect(exchange, mayReuse: false, for: self) }
        case .decideWithoutRefresh:
            decider.giveUp()
            decide()
        case .refuse(let failure): refuse(failure)
        case .closeOutput: output.finish()
        case .abort: close(status: nil)
        case .close: close(status: 499)
        }
        return true
    }

    /// Closes the connection. A request in progress is recorded with the status, or else with that of its response.
    private func close(status: Int?) {
        decider.reset()
        upstream.abandon()
        if let exchange { finish(exchange, status: status ?? exchange.status) }
        output.context?.close(promise: nil)
    }

    private func finish(_ exchange: HTTPExchange, status: Int) {
        exchange.status = status
        exchange.record(reader.target, bytesIn: state.bodyCount, client: origin.text, on: loop, now: state.now)
        self.exchange = nil
    }

    // MARK: Decision

    private func readHead() -> Bool {
        do {
            guard try reader.readHead(loop.core.limits) else { return false }
            findOrigin()
            state.headRead(RequestProperties(reader.head))
            decide()
        } catch {
            refuse(.invalid(error))
        }
        return true
    }

    /// Finds from whom the request comes that a proxy has forwarded.
    private func findOrigin() {
        guard let proxy, let peer = proxy.address else { return }
        let address = ForwardedAddress(proxies: loop.core.configuration.proxies).find(
            reader.head.fields,
            of: reader.headBytes.readableBytesUInt8Span,
            from: peer
        )
        guard address != origin.address else { return }
        origin =
            address == peer
            ? proxy : RequestOrigin(address, loop.core.clientLimits.limit(of: ClientAddress(address), now: state.now))
    }

    private func decide() {
        switch decider.decide(reader, origin, now: state.now) {
        case .forward(let forwarding): forward(forwarding)
        case .refuse(let refusal, let meter): respond(refusal, decider.exchange(reader, meter, refusal.app))
        case .answer(let page):
            let app = loop.core.router.app(ofHost: reader.head.host, in: reader.headBytes.readableBytesUInt8Span)
            let exchange = decider.exchange(reader, loop.policy.unknownRoute, nil)
            var response = loop.pages.answer(page, for: app, isCrossOrigin: exchange.origin != nil)
            if exchange.isCompressionOn { response.negotiate(acceptsGzip: exchange.acceptsGzip) }
            let isKnown = response.entityTag?.isNamed(by: reader.head.fields, of: reader.headBytes) ?? false
            respond(isKnown ? response.notModified : response, exchange)
        case .wait(let dependency): wait(for: dependency)
        }
    }

    /// Decides the request again once a dependency is resolved. Bytes that the client sends meanwhile stay in the
    /// socket, apart from those that may be read ahead.
    private func wait(for dependency: RequestPolicy.Dependency) {
        let wait = state.wait(for: dependency.kind)
        let resolution = decider.resolve(dependency) { [self] resolution in
            wake()
            resolved(wait, resolution)
            process()
        }
        if let resolution { resolved(wait, resolution) }
    }

    private func resolved(_ wait: DecisionWait, _ resolution: RequestDecider.Resolution) {
        guard state.resolved(wait) else { return }
        decider.add(resolution)
        decide()
    }

    private func forward(_ forwarding: RequestPolicy.Forwarding) {
        let exchange = decider.exchange(reader, forwarding.meter, forwarding.route.app, forwarding)
        upstream.prepare(reader, exchange, forwarding.route, origin)
        self.exchange = exchange
        reader.consumeHead()
        decider.reset()
        state.forward(bodyLimit: exchange.bodyLimit)
        upstream.connect(exchange, for: self)
    }

    // MARK: Responses of the gateway

    func refuse(_ failure: RequestFailure) {
        if failure.isOfUpstream, let endpoint = exchange?.candidates?.current { loop.failed(endpoint) }
        let exchange = exchange ?? decider.exchange(reader, now: state.now)
        respond(Refusal(exchange.app, failure), exchange)
    }

    private func respond(_ refusal: Refusal, _ exchange: HTTPExchange) {
        exchange.refusal = refusal
        respond(refusal.answer(requestID: exchange.trace.text), exchange, closing: refusal.closes)
    }

    private func respond(_ response: LocalResponse, _ exchange: HTTPExchange, closing: Bool = false) {
        upstream.abandon()
        decider.reset()
        reader.consumeHead()
        exchange.bytesOut = response.body.readableBytes
        finish(exchange, status: response.status)
        let closes = state.respond(closing: closing, bodyLimit: exchange.bodyLimit)
        loop.responses.write(response, exchange, dateLine: loop.clock.dateLine, closes: closes, to: &output.end)
        if closes { output.finish() }
    }

    // MARK: Interface for the connection to the service

    /// Whether the client accepts more output.
    var isWritable: Bool { state.isClientWritable }
    /// Whether the service has been sent the whole request, so that its connection can be used for another.
    var hasSentRequest: Bool { state.hasSentRequest }
    var requestSentAt: NIODeadline { state.requestSentAt }
    /// The time of the event being handled.
    var now: NIODeadline { state.now }

    /// Whether a request still waits for its service.
    func isForwarding(_ exchange: HTTPExchange) -> Bool { self.exchange === exchange }

    /// Handles the assignment of the request to a connection; `process` sends it.
    func upstreamConnected(isReused: Bool, isWritable: Bool) {
        let hasInput = reader.bytes.readableBytes > 0
        guard state.connected(isReused: isReused, isWritable: isWritable, hasInput: hasInput) else { return }
        output.end.writeStaticString("HTTP/1.1 100 Continue\r\n\r\n")
        output.flush()
    }

    func upstreamWritabilityChanged(_ isWritable: Bool) {
        wake()
        state.upstreamWritabilityChanged(isWritable)
        if isWritable { process() }
    }

    /// Settles on a connection; see `UpstreamSender.choose`.
    func choose(_ connection: UpstreamConnection) {
        if let exchange { upstream.choose(connection, exchange) }
    }

    /// Handles the head of a final response, not of a protocol upgrade.
    ///
    /// - Parameter bytes: The bytes of that head.
    func responseBegan(_ head: ResponseHead, _ bytes: ByteBuffer, _ length: BodyLength) {
        guard let exchange else { return }
        exchange.status = head.status
        loop.core.revocations.add(head.sessionEnds(bytes.readableBytesUInt8Span))
        let closes = state.responseBegan(length)
        var stated = head.statedLength(bytes.readableBytesUInt8Span, length, answering: exchange.method)
        var coding = ContentCoding(head, bytes.readableBytesUInt8Span, stated, exchange)
        if coding == .gzip, case .bytes(let size) = length {
            exchange.held = loop.compressor.hold(head, bytes, size: size)
            guard exchange.held == nil else { return }
            coding = .negotiated
        }
        // The length of what a GET would be answered is known only when it is compressed.
        if coding == .gzip || coding == .negotiated && head.status == 304 { stated = .none }
        loop.responses.write(head, bytes, stated, exchange, coding, closes: closes, to: &output.end)
    }

    func responseContinued(_ piece: ByteBuffer) {
        guard let exchange else { return }
        let isChunked = state.responseContinued()
        if let held = exchange.held { return held.append(piece) }
        exchange.bytesOut += piece.readableBytes
        output.write(piece, asChunk: isChunked)
    }

    /// Sends the parts of the response that were received in one event.
    func flush() { output.flush() }

    func responseEnded() {
        guard let exchange else { return }
        upstream.release()
        let compressed = exchange.held?.compressed()
        if let held = exchange.held { exchange.bytesOut = (compressed ?? held.content).readableBytes }
        finish(exchange, status: exchange.status)
        let (isChunked, closes) = state.responseEnded()
        if let held = exchange.held { write(held, compressed, exchange, closes: closes) }
        if isChunked { output.end.writeStaticString(Chunk.last) }
        if closes { output.finish() }
        process()
    }

    /// - Parameter compressed: nil if the content is sent as it is.
    private func write(_ held: HeldResponse, _ compressed: ByteBuffer?, _ exchange: HTTPExchange, closes: Bool) {
        let content = compressed ?? held.content
        loop.responses.write(
            held.head,
            held.bytes,
            .bytes(content.readableBytes),
            exchange,
            compressed == nil ? .negotiated : .gzip,
            closes: closes,
            to: &output.end
        )
        output.write(content, asChunk: false)
    }

    /// Handles a response that failed or ended before it was complete.
    func upstreamFailed(_ failure: UpstreamFailure, on connection: UpstreamConnection? = nil) {
        if let connection, upstream.forget(connection) { return }
        upstream.disconnected()
        perform(state.upstreamFailed(failure))
        process()
    }

    /// Handles a 101 response. If the handshake is valid, the two connections become a tunnel.
    ///
    /// - Parameters:
    ///   - bytes: The bytes of the response head.
    ///   - rest: The bytes after the head, which are the first frames.
    func upstreamSwitched(_ head: ResponseHead, _ bytes: ByteBuffer, rest: ByteBuffer) {
        guard let exchange, let upgrade = exchange.upgrade, let client = output.context,
            upgrade.isAccepted(by: head, bytes.readableBytesUInt8Span), let service = upstream.connection?.leave()
        else {
            upstream.abandon()
            return upstreamFailed(.malformed)
        }
        // Through a proxy, a WebSocket is what stays of a client's connection.
        guard proxy == nil || loop.core.clientLimits.join(origin.limit, until: client.channel.closeFuture) else {
            service.close(promise: nil)
            let most = Double(loop.core.configuration.connections.perAddress)
            respond(.tooMany(exchange.app, retryAfter: 1, by: ("MAX_CONNECTIONS_PER_ADDRESS", most)), exchange)
            return process()
        }
        loop.responses.writeSwitching(head, bytes, exchange, to: &output.end)
        output.flush()
        finish(exchange, status: 101)
        upstream.release()
        state.protocolSwitched()
        Tunnel(exchange, from: origin, on: loop).open(client, early: reader.bytes, service, rest: rest)
    }
}
