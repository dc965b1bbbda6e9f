import NIOCore

/// The state of a client connection. It does no I/O and reads no clock: every event is a method, whose result says what
/// the connection does about it.
struct ClientConnectionState {
    private enum Phase {
        /// Waiting for a request, or reading its head.
        case head
        /// The head is complete, and the request is being decided or waits for a dependency.
        case deciding(RequestProperties, DecisionWait?)
        /// The request is at a service, or waits for a connection to it.
        case forwarding(ExchangeState)
        /// The response was sent before the whole body was read; the rest of the body is discarded.
        case discarding(RequestBody)
        /// The last response was sent. Further input, whose size in bytes is counted, is discarded so that the client
        /// can read the response.
        case lingering(Int)
        /// The connection carries another protocol.
        case tunnelling
        case closed
    }

    private var phase = Phase.head
    private var deadlines: ClientDeadlines
    private var waitCount = 0
    private var isDraining = false
    private var isUpstreamWritable = true
    /// Whether the client's channel accepts more output.
    private(set) var isClientWritable = true
    /// The content bytes of the current request's body that were accepted.
    private(set) var bodyCount = 0
    /// When the whole of the last request was sent to a service.
    private(set) var requestSentAt = NIODeadline.uptimeNanoseconds(0)

    /// Creates the state of a connection that waits for a request head.
    ///
    /// - Parameter isIdle: Whether the connection has had requests before.
    init(_ limits: Limits, now: NIODeadline, isIdle: Bool = false) {
        deadlines = ClientDeadlines(limits, now: now)
        if isIdle { deadlines.armIdle(isDraining: false) }
    }

    /// Whether the last response has been sent, and of the next request at most a part of the head has come.
    var isBetweenRequests: Bool {
        if case .head = phase { isClientWritable } else { false }
    }

    /// The time of the event being handled.
    var now: NIODeadline {
        get { deadlines.now }
        set { deadlines.now = newValue }
    }

    // MARK: Received bytes

    /// The next action for the received bytes. Those that it concerns are removed from the front, except for heads. The
    /// connection calls this after every event, until it returns `wait`.
    mutating func next(_ input: inout ByteBuffer) -> ConnectionAction {
        switch phase {
        case .head:
            // A client that does not read its responses is not sent more of them.
            guard input.readableBytes > 0, isClientWritable else { return .wait }
            deadlines.armHead()
            return .readHead
        case .forwarding(var exchange):
            let step = exchange.request.next(&input, canWrite: isUpstreamWritable)
            phase = .forwarding(exchange)
            return advance(exchange, step)
        case .discarding(var body):
            do {
                while try body.next(&input) != nil {}
            } catch {
                linger()
                return .closeOutput
            }
            guard body.isComplete else {
                discard(body)
                return .wait
            }
            becomeIdle()
            return next(&input)
        case .lingering(let count):
            let count = count + input.readableBytes
            input = ByteBuffer()
            phase = .lingering(count)
            return count > deadlines.limits.lingerSize ? clientClosed() : .wait
        case .deciding, .tunnelling, .closed:
            return .wait
        }
    }

    private mutating func advance(_ exchange: ExchangeState, _ step: RequestSide.Step) -> ConnectionAction {
        bodyCount = exchange.request.body.count
        switch step {
        case .send(let piece):
            return .send(piece)
        case .flush:
            if exchange.request.body.isComplete {
                deadlines.arm(exchange.hasResponse ? .stall : .response)
                requestSentAt = now
            }
            return .flush
        case .refuse(let fault):
            return exchange.hasResponse ? abort() : .refuse(.invalid(fault))
        case .waitForClient: deadlines.armBody(bodyCount)
        case .waitForService: deadlines.holdBody()
        case .wait: break
        }
        return .wait
    }

    /// Whether the channel may read more.
    ///
    /// - Parameter buffered: The number of received bytes that have not been processed.
    func mayRead(buffered: Int) -> Bool {
        if case .lingering = phase { true } else { buffered < deadlines.limits.readAhead }
    }

    // MARK: Decision and response of the gateway

    mutating func headRead(_ properties: RequestProperties) {
        phase = .deciding(properties, nil)
    }

    /// Lets the decision wait.
    mutating func wait(for dependency: DecisionWait.Dependency) -> DecisionWait {
        waitCount += 1
        let wait = DecisionWait(dependency: dependency, number: waitCount)
        if case .deciding(let properties, _) = phase { phase = .deciding(properties, wait) }
        deadlines.arm(dependency == .refresh ? .refresh : .response)
        return wait
    }

    /// Ends a wait.
    ///
    /// - Returns: Whether the request has waited until now, and is decided again.
    mutating func resolved(_ wait: DecisionWait) -> Bool {
        guard case .deciding(let properties, let current?) = phase, current == wait else { return false }
        phase = .deciding(properties, nil)
        return true
    }

    /// Starts to forward the request to a service.
    ///
    /// - Parameter bodyLimit: The maximum size of the body, in bytes.
    mutating func forward(bodyLimit: Int) {
        guard case .deciding(let properties, _) = phase else { return }
        let request = RequestSide(properties, bodyLimit: bodyLimit)
        phase = .forwarding(ExchangeState(request, closes: properties.closes || isDraining))
        deadlines.arm(.response)
    }

    /// Ends the request with a response of the gateway, before any response of a service has begun.
    ///
    /// - Parameters:
    ///   - closing: Whether the start of the next request is unknown.
    ///   - bodyLimit: The maximum size of the body, in bytes.
    /// - Returns: Whether the sending side closes after the response.
    mutating func respond(closing: Bool, bodyLimit: Int) -> Bool {
        switch phase {
        case .deciding(let properties, _):
            return finish(RequestSide(properties, bodyLimit: bodyLimit), closing: closing || properties.closes)
        case .forwarding(let exchange):
            return finish(exchange.request, closing: closing || exchange.closes)
        case .head, .discarding, .lingering, .tunnelling, .closed:
            linger()
            return true
        }
    }

    private mutating func finish(_ request: RequestSide, closing: Bool) -> Bool {
        guard !closing, !isDraining, request.body.isComplete || request.isDiscardable else {
            linger()
            return true
        }
        request.body.isComplete ? becomeIdle() : discard(request.body)
        return false
    }

    private mutating func becomeIdle() {
        phase = .head
        bodyCount = 0
        deadlines.armIdle(isDraining: isDraining)
    }

    private mutating func discard(_ body: RequestBody) {
        phase = .discarding(body)
        deadlines.armBody(body.count)
    }

    private mutating func linger() {
        phase = .lingering(0)
        deadlines.arm(.linger)
    }

    private mutating func abort() -> ConnectionAction {
        phase = .closed
        return .abort
    }

    // MARK: Service

    /// Starts to send the request on a connection.
    ///
    /// - Parameters:
    ///   - isReused: Whether the connection has served other requests.
    ///   - hasInput: Whether bytes of the body have been received.
    /// - Returns: Whether the client is sent `100 Continue`, because it waits for it before sending the body (RFC 9110
    ///   §10.1.1).
    mutating func connected(isReused: Bool, isWritable: Bool, hasInput: Bool) -> Bool {
        guard case .forwarding(var exchange) = phase else { return false }
        isUpstreamWritable = isWritable
        exchange.request.connected(isReused: isReused)
        phase = .forwarding(exchange)
        return exchange.request.expectsContinue && !hasInput && !exchange.request.body.isComplete
    }

    mutating func upstreamWritabilityChanged(_ isWritable: Bool) {
        isUpstreamWritable = isWritable
        guard isWritable, case .forwarding(let exchange) = phase, exchange.request.body.isComplete else { return }
        deadlines.arm(exchange.hasResponse ? .stall : .response)
    }

    /// Whether the service has been sent the whole request, so that its connection can be used for another.
    var hasSentRequest: Bool {
        if case .forwarding(let exchange) = phase { exchange.request.body.isComplete } else { false }
    }

    /// Handles the head of the response.
    ///
    /// - Returns: Whether the sending side closes after the response.
    mutating func responseBegan(_ length: BodyLength) -> Bool {
        guard case .forwarding(var exchange) = phase else { return true }
        exchange.responseBegan(length, isDraining: isDraining)
        phase = .forwarding(exchange)
        deadlines.arm(.stall)
        return exchange.closes
    }

    /// - Returns: Whether the gateway writes the next part of the body as a chunk.
    mutating func responseContinued() -> Bool {
        deadlines.arm(.stall)
        if case .forwarding(let exchange) = phase { return exchange.isResponseChunked }
        return false
    }

    /// - Returns: Whether the gateway writes the last chunk, and whether the sending side closes.
    mutating func responseEnded() -> (isChunked: Bool, closes: Bool) {
        guard case .forwarding(let exchange) = phase else { return (false, true) }
        return (exchange.isResponseChunked, finish(exchange.request, closing: exchange.closes))
    }

    mutating func upstreamFailed(_ failure: UpstreamFailure) -> ConnectionAction {
        guard case .forwarding(var exchange) = phase else { return .wait }
        let action = exchange.failed(failure)
        phase = action == .abort ? .closed : .forwarding(exchange)
        return action
    }

    mutating func protocolSwitched() {
        phase = .tunnelling
    }

    // MARK: Client, drain and deadlines

    mutating func clientWritabilityChanged(_ isWritable: Bool) {
        isClientWritable = isWritable
        guard isWritable, case .forwarding(let exchange) = phase, exchange.hasResponse else { return }
        deadlines.arm(.stall)
    }

    /// Handles a connection that the client closed or that broke.
    mutating func clientClosed() -> ConnectionAction {
        switch phase {
        case .tunnelling, .closed: return .wait
        case .head, .deciding, .forwarding, .discarding, .lingering:
            phase = .closed
            return .close
        }
    }

    /// Lets the connection close once the request in flight is complete.
    mutating func drain() {
        isDraining = true
        deadlines.drain()
    }

    /// Closes the connection immediately.
    mutating func cut() -> ConnectionAction {
        if case .forwarding = phase { abort() } else { clientClosed() }
    }

    /// Checks the deadline.
    ///
    /// - Parameter hasInput: Whether bytes have been received that are not processed.
    mutating func checkDeadline(hasInput: Bool) -> ConnectionAction {
        guard let missed = deadlines.missed else { return .wait }
        switch phase {
        case .head where missed == .head && hasInput:
            return .refuse(.tooSlow)
        case .deciding(let properties, let wait):
            guard wait?.dependency == .refresh else { return .refuse(.unavailable) }
            phase = .deciding(properties, nil)
            return .decideWithoutRefresh
        case .forwarding(let exchange):
            guard !exchange.hasResponse else { return abort() }
            return .refuse(missed == .body ? .tooSlow : .upstreamTimedOut)
        case .head, .discarding, .lingering, .tunnelling, .closed:
            return clientClosed()
        }
    }
}
